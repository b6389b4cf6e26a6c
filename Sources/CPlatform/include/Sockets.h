// The socket calls of the HTTP server and client.
//
// Swift does not import accept4 and the packed epoll_event well, and other code may change errno before Swift reads it.
// Each function therefore returns 0 or more, or the negated errno, and retries after EINTR.

#ifndef PRESIGN_SOCKETS_H
#define PRESIGN_SOCKETS_H

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

/// The address of a peer. `family` is 4, 6, or 0 for a Unix socket. The address is in network byte order.
typedef struct {
    uint8_t family;
    uint8_t address[16];
} presign_peer;

/// A ready descriptor: the token it was registered with, and a set of PRESIGN_ flags.
typedef struct {
    uint64_t token;
    uint32_t readiness;
} presign_event;

enum {
    PRESIGN_READABLE = 1,
    PRESIGN_WRITABLE = 2,
    /// The connection is closed in both directions, or failed.
    PRESIGN_BROKEN = 4,
    /// Wake only one of the loops that share a listener.
    PRESIGN_EXCLUSIVE = 8,
    /// Edge-triggered: report new input once.
    PRESIGN_ONCE = 16,
    /// More may follow a short read: the peer's end of stream, or urgent data.
    PRESIGN_MAY_HAVE_MORE = 32,
};

/// Binds a TCP socket. `length` is 4 or 16. With `shared`, other sockets with this option may bind the same port.
int presign_socket_bind_tcp(const uint8_t *address, int length, uint16_t port, bool shared);

/// Binds a Unix socket with this file mode. Replaces a socket file that refuses connections.
int presign_socket_bind_unix(const char *path, uint16_t mode);

int presign_socket_listen(int descriptor, int backlog);

/// Returns the port that a TCP socket is bound to.
int presign_socket_port(int descriptor);

/// The size of the longest text that `presign_socket_adopt` writes, including its NUL.
enum { PRESIGN_LONGEST_NAME = 109 };

/// Adopts a listening socket from another process: makes it non-blocking and close-on-exec, and sets TCP_NODELAY and
/// buffer limits for TCP. Writes the IP address or path it is bound to (`@` and the name of an abstract socket) and the
/// port. Returns 4, 6, or 0 for a Unix socket; -ESOCKTNOSUPPORT if it is not a stream socket, -EINVAL if it does not
/// listen.
int presign_socket_adopt(int descriptor, char name[PRESIGN_LONGEST_NAME], uint16_t *port);

/// Starts to connect a TCP socket, which becomes writable on success or failure. `length` is 4 or 16.
int presign_socket_connect_tcp(const uint8_t *address, int length, uint16_t port);

/// Connects a stream socket to a Unix socket and makes it non-blocking. Waits at most `timeout` seconds while the
/// listener's queue is full.
int presign_connect_unix(const char *path, int timeout);

/// Returns the result of the connection attempt: 0, or the negated errno.
int presign_socket_connected(int descriptor);

/// Writes at most `capacity` IP addresses of a host name, in the order of the system's resolver. Returns their number,
/// -ENOENT if the name has no address, or another negated errno. Blocks until the resolver returns.
int presign_socket_resolve(const char *host, presign_peer *addresses, int capacity);

/// Removes a Unix socket's file.
int presign_socket_unlink(const char *path);

/// Accepts the next connection, non-blocking and close-on-exec.
int presign_socket_accept(int listener, presign_peer *peer);

/// Returns the number of bytes read; 0 at the end of input.
ssize_t presign_socket_receive(int descriptor, void *bytes, size_t count);

/// Whether a non-blocking socket has been read to its end.
bool presign_socket_has_ended(int descriptor);

/// Returns the number of bytes sent. Never raises SIGPIPE.
ssize_t presign_socket_send(int descriptor, const void *bytes, size_t count);

/// Blocks SIGPIPE on this thread: sendfile raises it if the peer is gone, and has no flag to prevent that.
void presign_socket_block_sigpipe(void);

/// Sends bytes of `file` from `position` on. Returns their number; 0 at the end of the file. See
/// `presign_socket_block_sigpipe`.
ssize_t presign_socket_send_file(int descriptor, int file, int64_t position, size_t count);

int presign_socket_finish_writing(int descriptor);
int presign_socket_close(int descriptor);

int presign_epoll_create(void);

/// `interest` is a set of PRESIGN_ flags.
int presign_epoll_add(int queue, int descriptor, uint32_t interest, uint64_t token);
int presign_epoll_modify(int queue, int descriptor, uint32_t interest, uint64_t token);
int presign_epoll_remove(int queue, int descriptor);

/// Returns the number of events written, at most `capacity` and at most 1024; 0 after a timeout or an interruption.
int presign_epoll_wait(int queue, presign_event *events, int capacity, int milliseconds);

/// Like poll(2), but returns 0 after an interruption.
int presign_poll(struct pollfd *entries, int count, int milliseconds);

/// Creates an eventfd with which other threads wake a loop.
int presign_wake_create(void);
void presign_wake(int descriptor);
void presign_wake_clear(int descriptor);

/// Returns the time of the monotonic clock in nanoseconds.
static inline int64_t presign_monotonic_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#endif
