// Tells ThreadSanitizer what the slow path of Swift's Mutex does.
//
// `Mutex.withLock` is compiled into its caller, where ThreadSanitizer sees it take and release a free mutex. When two
// threads meet, it calls the functions below in libswiftSynchronization, which is not instrumented: whatever the mutex
// protects would then be reported as a race. Linked into the program these stand before the library's own, call them,
// and say which of them acquires and which releases. Nothing is suppressed: a race beside a mutex is still found.
//
// Should another version of Swift name them otherwise, these are never called, and the false reports come back.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Tools of the build are linked with this, too, and have no sanitizer.
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
