#ifndef PRESIGN_SERVICE_MANAGER_H
#define PRESIGN_SERVICE_MANAGER_H

#include <stddef.h>
#include <stdint.h>

/// Sends one datagram to a Unix socket: a path, or `@` and an abstract name. Waits up to five seconds while the
/// receiver's queue is full. Returns 0, or -errno; -EAFNOSUPPORT for another form of address.
int presign_send_datagram(const char *address, const void *bytes, size_t count);

/// Returns the time of the monotonic clock in microseconds.
uint64_t presign_monotonic_microseconds(void);

#endif
