#include "CSystem.h"

#include <stdio.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

char *presignStrerror(int code, char *buffer, size_t size) {
    const char *text = strerror(code);
    snprintf(buffer, size, "%s", text);
    return buffer;
}

int presignDisableDumps(void) {
#ifdef __linux__
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#else
    return 0;
#endif
}
