#ifndef PRESIGN_SYSTEM_H
#define PRESIGN_SYSTEM_H


#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// strerror's text, copied: glibc (from 2.32) and musl keep it per thread, and disagree on strerror_r's type.
char *presign_strerror(int code, char *buffer, size_t size);

/// prctl(PR_SET_DUMPABLE, 0); prctl is variadic, which Swift cannot call.
int presign_disable_dumps(void);

/// Processors in the affinity mask, or online ones where there is no such mask.
int presign_processor_count(void);

/// A connected stream socket with both time-outs set (seconds), or -errno. sockaddr casts are safer on this side.
int presign_connect_ipv4(const char *host, uint16_t port, int timeout);
int presign_connect_ipv6(const char *host, uint16_t port, int timeout);
int presign_connect_unix(const char *path, int timeout);

#endif
