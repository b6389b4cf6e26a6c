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

/// prctl(PR_SET_DUMPABLE, 0); prctl is variadic, which Swift cannot call. 0 where there is no such call.
int presignDisableDumps(void);

/// Lets go of the pages of the program's read-only segments, which come back from the page cache when they are touched, and
/// of free pages of the heap. Nothing where the system has no such call.
void presignReleasePages(void);

/// Has the allocator give back whole free blocks, and the free end of a heap, from so many bytes on, whatever was freed
/// before. Nothing where the allocator has no such setting.
void presignLimitSpareMemory(size_t most);

/// Gives back the free pages of the heap if the process holds so many bytes more than it asked for. True if any went;
/// false, too, where the system or the allocator does not tell.
bool presignReturnSpareMemory(size_t most);

/// Processors in the affinity mask, or online ones where there is no such mask.
int presignProcessorCount(void);

/// A connected stream socket with both time-outs set (seconds), or -errno. sockaddr casts are safer on this side.
int presignConnectIPv4(const char *host, uint16_t port, int timeout);
int presignConnectIPv6(const char *host, uint16_t port, int timeout);
int presignConnectUnix(const char *path, int timeout);

#endif
