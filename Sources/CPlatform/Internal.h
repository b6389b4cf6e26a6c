// What the files of this module share.

#ifndef PRESIGN_PLATFORM_INTERNAL_H
#define PRESIGN_PLATFORM_INTERNAL_H

#include "Sockets.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

static inline int result(int value) { return value < 0 ? -errno : value; }

/// Closes `descriptor` and returns the errno that was current before.
static inline int fail(int descriptor) {
    int error = errno;
    close(descriptor);
    return -error;
}

/// Makes a descriptor non-blocking and closed on exec, where no flag of the creating call exists, and returns it; closes
/// it when that fails, and returns -errno.
int presign_socket_prepare(int descriptor);

/// Bounds what the kernel keeps for each connection that a TCP listener accepts, which counts as memory of the process's
/// container: by default the kernel lets it grow to several megabytes.
void presign_socket_limit_buffers(int listener);

/// Fills `storage` and returns its length.
socklen_t presign_socket_fill(struct sockaddr_storage *storage, const uint8_t *address, int length, uint16_t port);

/// Says who is at the other end.
void presign_socket_describe(const struct sockaddr_storage *storage, presign_peer *peer);

#endif
