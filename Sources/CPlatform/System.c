#define _GNU_SOURCE
#include "System.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

char *presign_strerror(int code, char *buffer, size_t size) {
    const char *text = strerror(code);
    snprintf(buffer, size, "%s", text);
    return buffer;
}

int presign_disable_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

int presign_processor_count(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

