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

#endif
