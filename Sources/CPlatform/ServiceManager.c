#define _GNU_SOURCE
#include "ServiceManager.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

int presign_send_datagram(const char *address, const void *bytes, size_t count) {
    struct sockaddr_un target = {.sun_family = AF_UNIX};
    size_t length = strlen(address);
    if (address[0] != '/' && address[0] != '@') return -EAFNOSUPPORT;
    if (length < 2) return -EINVAL;
    if (length >= sizeof target.sun_path) return -ENAMETOOLONG;
    memcpy(target.sun_path, address, length);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    // An abstract name starts with a NUL and has no terminator; a path ends with a NUL.
    if (address[0] == '@') target.sun_path[0] = 0;
    else size += 1;
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -errno;
    struct timeval timeout = {.tv_sec = 5};
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
    ssize_t sent =
        TEMP_FAILURE_RETRY(sendto(descriptor, bytes, count, MSG_NOSIGNAL, (const struct sockaddr *)&target, size));
    int result = sent < 0 ? -errno : 0;
    close(descriptor);
    return result;
}

uint64_t presign_monotonic_microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}
