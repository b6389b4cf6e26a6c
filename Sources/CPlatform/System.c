#define _GNU_SOURCE
#include "System.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
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

int presign_connect_ipv4(const char *host, uint16_t port, int timeout) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    if (inet_pton(AF_INET, host, &address.sin_addr) != 1) return -EINVAL;
    return connected((const struct sockaddr *)&address, sizeof address, timeout);
}

int presign_connect_ipv6(const char *host, uint16_t port, int timeout) {
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    if (inet_pton(AF_INET6, host, &address.sin6_addr) != 1) return -EINVAL;
    return connected((const struct sockaddr *)&address, sizeof address, timeout);
}

int presign_connect_unix(const char *path, int timeout) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return -ENAMETOOLONG;
    strcpy(address.sun_path, path);
    return connected((const struct sockaddr *)&address, sizeof address, timeout);
}
