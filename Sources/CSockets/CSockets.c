#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "CSockets.h"
#include "Internal.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/sendfile.h>
#include <sys/syscall.h>
#endif

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

/// Closes `descriptor` and returns the errno that was current before.
static int fail(int descriptor) {
    int error = errno;
    close(descriptor);
    return -error;
}

int sockets_prepare(int descriptor) {
    if (descriptor < 0) return -errno;
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0) return fail(descriptor);
    if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) < 0) return fail(descriptor);
#ifdef SO_NOSIGPIPE
    int yes = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
    return descriptor;
}

int sockets_parse_address(const char *text, uint8_t address[16]) {
    if (inet_pton(AF_INET, text, address) == 1) return 4;
    if (inet_pton(AF_INET6, text, address) == 1) return 16;
    return -EINVAL;
}

/// Fills `storage` and returns its length.
static socklen_t fill(struct sockaddr_storage *storage, const uint8_t *address, int length, uint16_t port) {
    memset(storage, 0, sizeof *storage);
    if (length == 4) {
        struct sockaddr_in *ipv4 = (struct sockaddr_in *)storage;
        ipv4->sin_family = AF_INET;
        ipv4->sin_port = htons(port);
        memcpy(&ipv4->sin_addr, address, 4);
        return sizeof *ipv4;
    }
    struct sockaddr_in6 *ipv6 = (struct sockaddr_in6 *)storage;
    ipv6->sin6_family = AF_INET6;
    ipv6->sin6_port = htons(port);
    memcpy(&ipv6->sin6_addr, address, 16);
    return sizeof *ipv6;
}

int sockets_bind_tcp(const uint8_t *address, int length, uint16_t port, bool shared) {
    int descriptor = sockets_prepare(socket(length == 4 ? AF_INET : AF_INET6, SOCK_STREAM, 0));
    if (descriptor < 0) return descriptor;
    int yes = 1, no = 0;
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    // Inherited by accepted sockets: one call here instead of one for each connection.
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (length == 16) setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
    if (shared && setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes) < 0) return fail(descriptor);
#ifdef TCP_DEFER_ACCEPT
    // The kernel reports a connection once its request is there; after this many seconds it does so regardless.
    int seconds = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_DEFER_ACCEPT, &seconds, sizeof seconds);
#endif
    struct sockaddr_storage storage;
    socklen_t size = fill(&storage, address, length, port);
    if (bind(descriptor, (struct sockaddr *)&storage, size) < 0) return fail(descriptor);
    return descriptor;
}

/// True if `path` is a socket file that refuses connections, as a crashed process leaves behind.
static bool is_stale(const struct sockaddr_un *address) {
    struct stat status;
    if (lstat(address->sun_path, &status) < 0 || !S_ISSOCK(status.st_mode)) return false;
    int probe = socket(AF_UNIX, SOCK_STREAM, 0);
    if (probe < 0) return false;
    bool refused = connect(probe, (const struct sockaddr *)address, sizeof *address) < 0 && errno == ECONNREFUSED;
    close(probe);
    return refused;
}

int sockets_bind_unix(const char *path, uint16_t mode) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof address.sun_path) return -ENAMETOOLONG;
    memcpy(address.sun_path, path, length);
    int descriptor = sockets_prepare(socket(AF_UNIX, SOCK_STREAM, 0));
    if (descriptor < 0) return descriptor;
    int bound = bind(descriptor, (struct sockaddr *)&address, sizeof address);
    if (bound < 0 && errno == EADDRINUSE) {
        if (!is_stale(&address)) {
            close(descriptor);
            return -EADDRINUSE;
        }
        unlink(path);
        bound = bind(descriptor, (struct sockaddr *)&address, sizeof address);
    }
    if (bound < 0) return fail(descriptor);
    // Nobody can connect before listen(), so the mode is in force from the first connection on.
    if (chmod(path, mode) < 0) {
        int error = fail(descriptor);
        unlink(path);
        return error;
    }
    return descriptor;
}

int sockets_listen(int descriptor, int backlog) { return result(listen(descriptor, backlog)); }

int sockets_port(int descriptor) {
    struct sockaddr_storage storage;
    socklen_t size = sizeof storage;
    if (getsockname(descriptor, (struct sockaddr *)&storage, &size) < 0) return -errno;
    if (storage.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&storage)->sin_port);
    if (storage.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&storage)->sin6_port);
    return 0;
}

int sockets_connect_tcp(const uint8_t *address, int length, uint16_t port) {
    int descriptor = sockets_prepare(socket(length == 4 ? AF_INET : AF_INET6, SOCK_STREAM, 0));
    if (descriptor < 0) return descriptor;
    int yes = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    struct sockaddr_storage storage;
    socklen_t size = fill(&storage, address, length, port);
    // An interrupted connect goes on by itself, as one that was only begun.
    if (connect(descriptor, (struct sockaddr *)&storage, size) < 0 && errno != EINPROGRESS && errno != EINTR) {
        return fail(descriptor);
    }
    return descriptor;
}

int sockets_connected(int descriptor) {
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) < 0) return -errno;
    return -error;
}

int sockets_unlink(const char *path) { return result(unlink(path)); }

static void describe(const struct sockaddr_storage *storage, sockets_peer *peer) {
    static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    memset(peer, 0, sizeof *peer);
    if (storage->ss_family == AF_INET) {
        peer->family = 4;
        memcpy(peer->address, &((const struct sockaddr_in *)storage)->sin_addr, 4);
    } else if (storage->ss_family == AF_INET6) {
        const uint8_t *bytes = (const uint8_t *)&((const struct sockaddr_in6 *)storage)->sin6_addr;
        // An IPv4 client of a dual-stack listener: give the address its owner knows.
        bool ipv4 = memcmp(bytes, mapped, sizeof mapped) == 0;
        peer->family = ipv4 ? 4 : 6;
        memcpy(peer->address, ipv4 ? bytes + 12 : bytes, ipv4 ? 4 : 16);
    }
}

int sockets_resolve(const char *host, sockets_peer *addresses, int capacity) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV}, *found = NULL;
    int failure = getaddrinfo(host, NULL, &hints, &found);
    if (failure) return failure == EAI_SYSTEM ? -errno : -ENOENT;
    int count = 0;
    for (struct addrinfo *entry = found; entry && count < capacity; entry = entry->ai_next) {
        struct sockaddr_storage storage = {0};
        if (entry->ai_addrlen > sizeof storage) continue;
        memcpy(&storage, entry->ai_addr, entry->ai_addrlen);
        describe(&storage, &addresses[count]);
        if (addresses[count].family) count++;
    }
    freeaddrinfo(found);
    return count;
}

int sockets_accept(int listener, sockets_peer *peer) {
    struct sockaddr_storage storage;
    int descriptor;
    do {
        socklen_t size = sizeof storage;
        storage.ss_family = AF_UNSPEC;
#ifdef __linux__
        descriptor = accept4(listener, (struct sockaddr *)&storage, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
#else
        descriptor = accept(listener, (struct sockaddr *)&storage, &size);
#endif
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0) return -errno;
    describe(&storage, peer);
#ifndef __linux__
    int yes = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    descriptor = sockets_prepare(descriptor);
#endif
    return descriptor;
}

#if defined(__linux__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
// The C library's functions are points where a thread may be cancelled, which costs two atomic operations for each call;
// no thread is ever cancelled here. (The sanitizers watch the library's functions.)
static inline ssize_t receive(int descriptor, void *bytes, size_t count) {
    return syscall(SYS_recvfrom, descriptor, bytes, count, 0, NULL, NULL);
}

static inline ssize_t transmit(int descriptor, const void *bytes, size_t count) {
    return syscall(SYS_sendto, descriptor, bytes, count, MSG_NOSIGNAL, NULL, 0);
}
#else
static inline ssize_t receive(int descriptor, void *bytes, size_t count) { return recv(descriptor, bytes, count, 0); }

static inline ssize_t transmit(int descriptor, const void *bytes, size_t count) {
    return send(descriptor, bytes, count, MSG_NOSIGNAL);
}
#endif

ssize_t sockets_receive(int descriptor, void *bytes, size_t count) {
    ssize_t received;
    do received = receive(descriptor, bytes, count);
    while (received < 0 && errno == EINTR);
    return received < 0 ? -errno : received;
}

ssize_t sockets_send(int descriptor, const void *bytes, size_t count) {
    ssize_t sent;
    do sent = transmit(descriptor, bytes, count);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : sent;
}

void sockets_block_sigpipe(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

bool sockets_wait_turns(bool waits) {
#ifdef __linux__
    int before = waits ? SCHED_OTHER : SCHED_BATCH, after = waits ? SCHED_BATCH : SCHED_OTHER;
    struct sched_param unused = {0};
    return sched_getscheduler(0) == before && sched_setscheduler(0, after, &unused) == 0;
#else
    (void)waits;
    return false;
#endif
}

ssize_t sockets_send_file(int descriptor, int file, int64_t position, size_t count) {
#ifdef __linux__
    ssize_t sent;
    off_t offset = position;
    do sent = sendfile(descriptor, file, &offset, count);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : sent;
#else
    char buffer[16 * 1024];
    ssize_t taken = sockets_read_file(file, position, buffer, count < sizeof buffer ? count : sizeof buffer);
    return taken <= 0 ? taken : sockets_send(descriptor, buffer, (size_t)taken);
#endif
}

ssize_t sockets_read_file(int file, int64_t position, void *bytes, size_t count) {
    ssize_t taken;
    do taken = pread(file, bytes, count, position);
    while (taken < 0 && errno == EINTR);
    return taken < 0 ? -errno : taken;
}

int sockets_waiting(int listener) {
#ifdef __linux__
    // Of a listening socket the kernel tells the length of its queue here (tcp_get_info in net/ipv4/tcp.c).
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    if (getsockopt(listener, IPPROTO_TCP, TCP_INFO, &info, &size) == 0) return (int)info.tcpi_unacked;
#endif
    return 0;
}

int sockets_finish_writing(int descriptor) { return result(shutdown(descriptor, SHUT_WR)); }

// close() is not retried after EINTR: on Linux the descriptor is gone either way.
int sockets_close(int descriptor) { return result(close(descriptor)); }
