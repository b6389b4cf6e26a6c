// Waiting for sockets: epoll, and an eventfd with which other threads wake a loop.

#define _GNU_SOURCE

#include "Sockets.h"
#include "Internal.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

/// Equal to `EpollQueue.mostEvents`.
enum { MOST_EVENTS = 1024 };

int presign_epoll_create(void) { return result(epoll_create1(EPOLL_CLOEXEC)); }

static int control(int queue, int operation, int descriptor, uint32_t interest, uint64_t token) {
    struct epoll_event event = {.data.u64 = token};
    if (interest & PRESIGN_READABLE) event.events |= EPOLLIN;
    if (interest & PRESIGN_WRITABLE) event.events |= EPOLLOUT;
    if (interest & PRESIGN_EXCLUSIVE) event.events |= EPOLLEXCLUSIVE;
    if (interest & PRESIGN_ONCE) event.events |= EPOLLET | EPOLLRDHUP | EPOLLPRI;
    return result(epoll_ctl(queue, operation, descriptor, &event));
}

int presign_epoll_add(int queue, int descriptor, uint32_t interest, uint64_t token) {
    return control(queue, EPOLL_CTL_ADD, descriptor, interest, token);
}

int presign_epoll_modify(int queue, int descriptor, uint32_t interest, uint64_t token) {
    return control(queue, EPOLL_CTL_MOD, descriptor, interest, token);
}

int presign_epoll_remove(int queue, int descriptor) { return control(queue, EPOLL_CTL_DEL, descriptor, 0, 0); }

int presign_epoll_wait(int queue, presign_event *events, int capacity, int milliseconds) {
    struct epoll_event ready[MOST_EVENTS];
    if (capacity > MOST_EVENTS) capacity = MOST_EVENTS;
    int count = epoll_wait(queue, ready, capacity, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    for (int index = 0; index < count; index++) {
        uint32_t flags = ready[index].events;
        events[index].token = ready[index].data.u64;
        events[index].readiness = (flags & EPOLLIN ? PRESIGN_READABLE : 0) | (flags & EPOLLOUT ? PRESIGN_WRITABLE : 0)
                                  | (flags & (EPOLLERR | EPOLLHUP) ? PRESIGN_BROKEN : 0)
                                  | (flags & (EPOLLRDHUP | EPOLLPRI) ? PRESIGN_MAY_HAVE_MORE : 0);
    }
    return count;
}

int presign_wake_create(void) { return result(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)); }

int presign_poll(struct pollfd *entries, int count, int milliseconds) {
    int ready = poll(entries, (nfds_t)count, milliseconds);
    return ready < 0 && errno == EINTR ? 0 : result(ready);
}

void presign_wake(int descriptor) {
    uint64_t one = 1;
    // The write fails only if the counter is full, and then the loop has been woken already.
    (void)TEMP_FAILURE_RETRY(write(descriptor, &one, sizeof one));
}

void presign_wake_clear(int descriptor) {
    uint64_t count;
    (void)TEMP_FAILURE_RETRY(read(descriptor, &count, sizeof count));
}
