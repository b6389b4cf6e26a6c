// The system calls of the HTTP server, in a shape Swift can call without guessing.
//
// Swift imports neither accept4 nor the packed epoll_event well, and reads errno only by luck:
// every function here returns a value of 0 or more, or the negated errno, and retries EINTR itself.

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

/// Where a connection came from. `family` is 4, 6, or 0 for a Unix socket; addresses are in network byte order.
typedef struct {
    uint8_t family;
    uint8_t address[16];
} presign_peer;

/// One ready descriptor: the token it was registered with, and what it is ready for.
typedef struct {
    uint64_t token;
    uint32_t readiness;
} presign_event;

enum {
    PRESIGN_READABLE = 1,
    PRESIGN_WRITABLE = 2,
    /// The connection is gone in both directions, or failed.
    PRESIGN_BROKEN = 4,
    /// Wake one of the loops that share a listener, not all of them.
    PRESIGN_EXCLUSIVE = 8,
    /// Edge-triggered: report new input once, not as long as there is any.
    PRESIGN_ONCE = 16,
    /// A read may stop before the end of the input: in front of the peer's end of stream, or of urgent data.
    PRESIGN_MAY_HAVE_MORE = 32,
};

/// A bound TCP socket. `length` is 4 or 16. With `shared` other sockets that say so too may bind the same port.
int presign_socket_bind_tcp(const uint8_t *address, int length, uint16_t port, bool shared);

/// A bound Unix socket with this file mode; a socket file that nobody answers on is replaced.
int presign_socket_bind_unix(const char *path, uint16_t mode);

int presign_socket_listen(int descriptor, int backlog);

/// The port a TCP socket is bound to.
int presign_socket_port(int descriptor);

/// The longest text that `presign_socket_adopt` writes, with its end.
enum { PRESIGN_LONGEST_NAME = 109 };

/// Takes a socket over that somebody else has bound and listens on: makes it non-blocking, closed on exec, and of TCP
/// without delay. Writes the IP address or path it is bound to (`@` and a name where there is no file) and the port.
/// Returns 4, 6, 0 for a Unix socket, -ESOCKTNOSUPPORT for no stream socket, or -EINVAL for one that does not listen.
int presign_socket_adopt(int descriptor, char name[PRESIGN_LONGEST_NAME], uint16_t *port);

/// A TCP socket that connects: it is writable once it has, or has failed. `length` is 4 or 16.
int presign_socket_connect_tcp(const uint8_t *address, int length, uint16_t port);

/// What became of that: 0, or the negated errno.
int presign_socket_connected(int descriptor);

/// The IP addresses of a name, as the system's resolver orders them, at most `capacity`: how many, or -ENOENT when it has
/// none, or another negated errno. Takes as long as the resolver does.
int presign_socket_resolve(const char *host, presign_peer *addresses, int capacity);

/// Removes a Unix socket's file.
int presign_socket_unlink(const char *path);

/// The next connection, non-blocking and closed on exec.
int presign_socket_accept(int listener, presign_peer *peer);

/// Bytes read; 0 at the end of input.
ssize_t presign_socket_receive(int descriptor, void *bytes, size_t count);

/// Whether a non-blocking socket has been read to its end.
bool presign_socket_has_ended(int descriptor);

/// Bytes taken; never raises SIGPIPE.
ssize_t presign_socket_send(int descriptor, const void *bytes, size_t count);

/// Keeps SIGPIPE from this thread: sendfile raises it when the peer has gone, and takes no flag against that.
void presign_socket_block_sigpipe(void);

/// Bytes of `file` taken, from `position` on; 0 at the file's end. See `presign_socket_block_sigpipe`.
ssize_t presign_socket_send_file(int descriptor, int file, int64_t position, size_t count);

/// Bytes of `file` read, from `position` on; 0 at the file's end.
ssize_t presign_socket_read_file(int file, int64_t position, void *bytes, size_t count);

int presign_socket_finish_writing(int descriptor);
int presign_socket_close(int descriptor);

int presign_epoll_create(void);

/// `interest` is a set of PRESIGN_ flags.
int presign_epoll_add(int queue, int descriptor, uint32_t interest, uint64_t token);
int presign_epoll_modify(int queue, int descriptor, uint32_t interest, uint64_t token);
int presign_epoll_remove(int queue, int descriptor);

/// Events filled in, at most `capacity` (at most 1025); 0 after the time or an interruption.
int presign_epoll_wait(int queue, presign_event *events, int capacity, int milliseconds);

/// Like poll(2), but an interruption counts as no event.
int presign_poll(struct pollfd *entries, int count, int milliseconds);

/// An eventfd by which another thread wakes a loop.
int presign_wake_create(void);
void presign_wake(int descriptor);
void presign_wake_clear(int descriptor);

/// Nanoseconds of the monotonic clock.
static inline int64_t presign_monotonic_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/// Seconds since 1970; the coarse clock is precise enough for a Date field and five times cheaper.
static inline int64_t presign_wall_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    return now.tv_sec;
}

#endif
