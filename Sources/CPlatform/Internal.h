// Functions shared by the files of this module.

#ifndef PRESIGN_PLATFORM_INTERNAL_H
#define PRESIGN_PLATFORM_INTERNAL_H

#include "Sockets.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

/// Converts the result of a system call: a negative value becomes -errno.
static inline int result(int value) { return value < 0 ? -errno : value; }

/// Closes `descriptor` and returns the negated errno from before the close.
static inline int fail(int descriptor) {
    int error = errno;
    close(descriptor);
    return -error;
}

/// Makes a descriptor non-blocking and close-on-exec, and returns it. On failure closes it and returns -errno. A
/// negative descriptor is the result of a failed call: returns -errno.
int presign_socket_prepare(int descriptor);

/// Limits the kernel buffers of each connection that a TCP listener accepts. They count as memory of the process's
/// container, and by default the kernel lets them grow to several megabytes.
void presign_socket_limit_buffers(int listener);

/// Writes an address and a port into `storage` and returns its length.
socklen_t presign_socket_fill(struct sockaddr_storage *storage, const uint8_t *address, int length, uint16_t port);

/// Converts a socket address to a peer address.
void presign_socket_describe(const struct sockaddr_storage *storage, presign_peer *peer);

#endif
