// Annotates the slow path of Swift's Mutex for ThreadSanitizer.
//
// `Mutex.withLock` is inlined into its caller, where ThreadSanitizer sees the fast path. Under contention it calls the
// functions below in libswiftSynchronization, which is not instrumented, so accesses protected by the mutex would be
// reported as races. These wrappers interpose on the library's functions, call them, and annotate the acquire and
// release. They suppress nothing: races outside the mutex are still found.
//
// If a Swift version renames the functions, the wrappers are never called and the false reports return.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Weak, because build tools without a sanitizer are linked with this file too.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT _Bool try_lock_slow(SELF) __asm__(TRY);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK);

static void *next(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (function) return function;
    fprintf(stderr, "mutex.c: the Swift library has no %s\n", name);
    abort();
}

SWIFT void lock_slow(uint32_t thread, SELF) {
    ((SWIFT void (*)(uint32_t, SELF))next(LOCK))(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT _Bool try_lock_slow(SELF) {
    _Bool locked = ((SWIFT _Bool (*)(SELF))next(TRY))(mutex);
    if (locked && __tsan_acquire) __tsan_acquire(mutex);
    return locked;
}

SWIFT void unlock_slow(SELF) {
    if (__tsan_release) __tsan_release(mutex);
    ((SWIFT void (*)(SELF))next(UNLOCK))(mutex);
}
