#ifndef PRESIGN_CSYSTEM_H
#define PRESIGN_CSYSTEM_H

#include <stddef.h>

/// strerror_r in one form: glibc and musl disagree on the function's type.
char *presignStrerror(int code, char *buffer, size_t size);

/// prctl(PR_SET_DUMPABLE, 0); prctl is variadic, which Swift cannot call. 0 where there is no such call.
int presignDisableDumps(void);

#endif
