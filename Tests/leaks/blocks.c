// Preloaded: keeps the number of blocks that a program has from its allocator in the file $BLOCKS, as a 64-bit number.
//
// Blocks of 64 bytes from calloc do not count, as those are Dispatch's: each of its threads keeps 1,024 for later. They get
// more room than they ask for, and are told from others by it.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// glibc's own names for its functions: nothing has to be looked up before the first call.
extern void *__libc_malloc(size_t count);
extern void *__libc_calloc(size_t items, size_t count);
extern void *__libc_realloc(void *old, size_t count);
extern void *__libc_memalign(size_t alignment, size_t count);
extern void __libc_free(void *old);

enum { OTHERS = 1000 };

static _Atomic long before;
static _Atomic long *blocks = &before;

static long weight(void *block) { return block && malloc_usable_size(block) != OTHERS; }

static void *counted(void *block) {
    atomic_fetch_add_explicit(blocks, weight(block), memory_order_relaxed);
    return block;
}

// What others ask for never has the room by which Dispatch's are known. A block may have 16 bytes more than it needs.
static size_t other(size_t count) { return count > OTHERS - 32 && count <= OTHERS ? OTHERS + 1 : count; }

void *malloc(size_t count) { return counted(__libc_malloc(other(count))); }

void *calloc(size_t items, size_t count) {
    size_t all;
    if (__builtin_mul_overflow(items, count, &all)) return errno = ENOMEM, NULL;
    return counted(__libc_calloc(1, all == 64 ? OTHERS : other(all)));
}

void *realloc(void *old, size_t count) {
    long weighed = weight(old);
    void *new = __libc_realloc(old, other(count));
    if (new || (old && count == 0))
        atomic_fetch_add_explicit(blocks, weight(new) - weighed, memory_order_relaxed);
    return new;
}

void *memalign(size_t alignment, size_t count) { return counted(__libc_memalign(alignment, other(count))); }

void *aligned_alloc(size_t alignment, size_t count) { return memalign(alignment, count); }

int posix_memalign(void **to, size_t alignment, size_t count) {
    void *block = memalign(alignment, count);
    if (!block) return ENOMEM;
    *to = block;
    return 0;
}

void free(void *old) {
    atomic_fetch_sub_explicit(blocks, weight(old), memory_order_relaxed);
    __libc_free(old);
}

// Nothing else runs yet.
__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("BLOCKS");
    int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0 || ftruncate(file, sizeof(long)) != 0) abort();
    void *shared = mmap(NULL, sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (shared == MAP_FAILED) abort();
    *(_Atomic long *)shared = before;
    blocks = shared;
}
