#ifndef PRESIGN_SERVICE_MANAGER_H
#define PRESIGN_SERVICE_MANAGER_H

#include <stddef.h>
#include <stdint.h>

/// Sends one datagram to a Unix socket: a path, or `@` and a name without a file (Linux). 0, or -errno; -EAFNOSUPPORT for
/// an address of another form. It waits for room, five seconds at most.
int presign_send_datagram(const char *address, const void *bytes, size_t count);

/// Microseconds of the monotonic clock.
uint64_t presign_monotonic_microseconds(void);

#endif
