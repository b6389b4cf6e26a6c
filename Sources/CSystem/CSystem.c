#define _GNU_SOURCE
#include "CSystem.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#ifdef __linux__
#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
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

#ifdef __linux__
// A segment that is mapped without the right to write was never written: relocations, and what becomes read-only after
// them, lie in segments that have it. Its pages hold what the file holds, so they may go at any time.
static int releaseProgram(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size;
    (void)unused;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
        uintptr_t start = (object->dlpi_addr + segment->p_vaddr + page - 1) & ~(page - 1);
        uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_filesz) & ~(page - 1);
        if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 1; // the first object is the program
}
#endif

void presignLimitSpareMemory(size_t most) {
#ifdef __GLIBC__
    // Left to itself the allocator raises both whenever a larger block is freed, and never lowers them.
    mallopt(M_MMAP_THRESHOLD, (int)most);
    mallopt(M_TRIM_THRESHOLD, (int)most);
#else
    (void)most;
#endif
}

#ifdef __GLIBC__
// Bytes of memory that no file stands for; 0 if that is not known.
static size_t anonymousMemory(void) {
    char text[128];
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return 0;
    text[count] = 0;
    size_t all, resident, shared;
    if (sscanf(text, "%zu %zu %zu", &all, &resident, &shared) != 3 || resident < shared) return 0;
    return (resident - shared) * (size_t)sysconf(_SC_PAGESIZE);
}
#endif

bool presignReturnSpareMemory(size_t most) {
#ifdef __GLIBC__
    // The cheap question first: asked now and then, it is the only one for as long as all is well.
    const size_t held = anonymousMemory();
    if (held <= most) return false;
    const struct mallinfo2 heap = mallinfo2();
    if (held <= heap.uordblks + heap.hblkhd + most) return false;
    return malloc_trim(0) != 0;
#else
    (void)most;
    return false;
#endif
}

void presignReleasePages(void) {
#ifdef __linux__
    dl_iterate_phdr(releaseProgram, NULL);
#ifdef __GLIBC__
    malloc_trim(0);
#endif
#endif
}

int presignProcessorCount(void) {
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

static int connected(const struct sockaddr *address, socklen_t size, int timeout) {
    int descriptor = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -errno;
    struct timeval time = {.tv_sec = timeout};
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
    if (connect(descriptor, address, size) == 0) return descriptor;
    int code = errno;
    close(descriptor);
    return -code;
}

int presignConnectIPv4(const char *host, uint16_t port, int timeout) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    if (inet_pton(AF_INET, host, &address.sin_addr) != 1) return -EINVAL;
    return connected((const struct sockaddr *)&address, sizeof address, timeout);
}

int presignConnectIPv6(const char *host, uint16_t port, int timeout) {
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    if (inet_pton(AF_INET6, host, &address.sin6_addr) != 1) return -EINVAL;
    return connected((const struct sockaddr *)&address, sizeof address, timeout);
}

int presignConnectUnix(const char *path, int timeout) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return -ENAMETOOLONG;
    strcpy(address.sun_path, path);
    return connected((const struct sockaddr *)&address, sizeof address, timeout);
}
