#ifndef PRESIGN_CSYSTEM_H
#define PRESIGN_CSYSTEM_H

#include "CFiles.h"
#include "CServiceManager.h"
#include "CProcess.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// strerror's text, copied: glibc (from 2.32) and musl keep it per thread, and disagree on strerror_r's type.
char *presignStrerror(int code, char *buffer, size_t size);

/// prctl(PR_SET_DUMPABLE, 0); prctl is variadic, which Swift cannot call.
int presignDisableDumps(void);

/// Processors in the affinity mask, or online ones where there is no such mask.
int presignProcessorCount(void);

/// A connected stream socket with both time-outs set (seconds), or -errno. sockaddr casts are safer on this side.
int presignConnectIPv4(const char *host, uint16_t port, int timeout);
int presignConnectIPv6(const char *host, uint16_t port, int timeout);
int presignConnectUnix(const char *path, int timeout);

#endif
