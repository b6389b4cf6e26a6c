// Sockets that are connected, and the thread that serves them.

#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "CSockets.h"
#include "Internal.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/sendfile.h>
#include <sys/syscall.h>
#endif

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

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

int sockets_connect_tcp(const uint8_t *address, int length, uint16_t port) {
    int descriptor = sockets_prepare(socket(length == 4 ? AF_INET : AF_INET6, SOCK_STREAM, 0));
    if (descriptor < 0) return descriptor;
    int yes = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    struct sockaddr_storage storage;
    socklen_t size = sockets_fill(&storage, address, length, port);
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
    sockets_describe(&storage, peer);
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

bool sockets_has_ended(int descriptor) {
    uint8_t byte;
    return recv(descriptor, &byte, 1, MSG_PEEK) == 0;
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

int sockets_finish_writing(int descriptor) { return result(shutdown(descriptor, SHUT_WR)); }

// close() is not retried after EINTR: on Linux the descriptor is gone either way.
int sockets_close(int descriptor) { return result(close(descriptor)); }
