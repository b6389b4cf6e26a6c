#ifndef PRESIGN_SYSTEM_H
#define PRESIGN_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Copies strerror's text to `buffer`, truncated to `size`, and returns `buffer`. strerror is thread-safe in glibc
/// (from 2.32) and musl; the type of strerror_r differs between them.
char *presign_strerror(int code, char *buffer, size_t size);

/// Calls prctl(PR_SET_DUMPABLE, 0). prctl is variadic, so Swift cannot call it.
int presign_disable_dumps(void);

/// Returns the number of processors in the affinity mask; if the mask cannot be read, the number online.
int presign_processor_count(void);

/// Connects a blocking stream socket with a receive and a send timeout in seconds. Returns its descriptor, or -errno.
int presign_connect_ipv4(const char *host, uint16_t port, int timeout);
int presign_connect_ipv6(const char *host, uint16_t port, int timeout);
int presign_connect_unix(const char *path, int timeout);

#endif
