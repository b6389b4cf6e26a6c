// Waiting for sockets: epoll, poll(2), and the descriptor by which another thread wakes a loop.

#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "CSockets.h"
#include "Internal.h"

#include <unistd.h>

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif

#ifdef __linux__

/// As many as the loop needs to see to know that there are too many.
enum { MOST_EVENTS = 1025 };

int sockets_epoll_create(void) { return result(epoll_create1(EPOLL_CLOEXEC)); }

static int control(int queue, int operation, int descriptor, uint32_t interest, uint64_t token) {
    struct epoll_event event = {.data.u64 = token};
    if (interest & SOCKETS_READABLE) event.events |= EPOLLIN;
    if (interest & SOCKETS_WRITABLE) event.events |= EPOLLOUT;
    if (interest & SOCKETS_EXCLUSIVE) event.events |= EPOLLEXCLUSIVE;
    if (interest & SOCKETS_ONCE) event.events |= EPOLLET | EPOLLRDHUP | EPOLLPRI;
    return result(epoll_ctl(queue, operation, descriptor, &event));
}

int sockets_epoll_add(int queue, int descriptor, uint32_t interest, uint64_t token) {
    return control(queue, EPOLL_CTL_ADD, descriptor, interest, token);
}

int sockets_epoll_modify(int queue, int descriptor, uint32_t interest, uint64_t token) {
    return control(queue, EPOLL_CTL_MOD, descriptor, interest, token);
}

int sockets_epoll_remove(int queue, int descriptor) { return control(queue, EPOLL_CTL_DEL, descriptor, 0, 0); }

int sockets_epoll_wait(int queue, sockets_event *events, int capacity, int milliseconds) {
    struct epoll_event ready[MOST_EVENTS];
    if (capacity > MOST_EVENTS) capacity = MOST_EVENTS;
    int count = epoll_wait(queue, ready, capacity, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    for (int index = 0; index < count; index++) {
        uint32_t flags = ready[index].events;
        events[index].token = ready[index].data.u64;
        events[index].readiness = (flags & EPOLLIN ? SOCKETS_READABLE : 0) | (flags & EPOLLOUT ? SOCKETS_WRITABLE : 0)
                                  | (flags & (EPOLLERR | EPOLLHUP) ? SOCKETS_BROKEN : 0)
                                  | (flags & (EPOLLRDHUP | EPOLLPRI) ? SOCKETS_PARTED : 0);
    }
    return count;
}

int sockets_wake_create(int descriptors[2]) {
    descriptors[0] = descriptors[1] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return result(descriptors[0]);
}

#else

int sockets_epoll_create(void) { return -ENOSYS; }
int sockets_epoll_add(int queue, int descriptor, uint32_t interest, uint64_t token) { return -ENOSYS; }
int sockets_epoll_modify(int queue, int descriptor, uint32_t interest, uint64_t token) { return -ENOSYS; }
int sockets_epoll_remove(int queue, int descriptor) { return -ENOSYS; }
int sockets_epoll_wait(int queue, sockets_event *events, int capacity, int milliseconds) { return -ENOSYS; }

int sockets_wake_create(int descriptors[2]) {
    if (pipe(descriptors) < 0) return -errno;
    for (int index = 0; index < 2; index++) {
        int prepared = sockets_prepare(descriptors[index]);
        if (prepared < 0) {
            close(descriptors[1 - index]);
            return prepared;
        }
    }
    return descriptors[0];
}

#endif

int sockets_poll(struct pollfd *entries, int count, int milliseconds) {
    int ready = poll(entries, (nfds_t)count, milliseconds);
    if (ready >= 0) return ready;
    if (errno != ENOMEM) return errno == EINTR ? 0 : -errno;
    // The kernel's memory for the entries may be there a moment later.
    struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
    nanosleep(&pause, NULL);
    return 0;
}

void sockets_wake(int descriptor) {
    uint64_t one = 1;
    // A full counter or pipe means the loop is already woken: nothing is lost by ignoring that.
    while (write(descriptor, &one, sizeof one) < 0 && errno == EINTR) {}
}

void sockets_wake_clear(int descriptor) {
    uint8_t bytes[512];
    ssize_t count;
    do count = read(descriptor, bytes, sizeof bytes);
    while (count == (ssize_t)sizeof bytes || (count < 0 && errno == EINTR));
}
