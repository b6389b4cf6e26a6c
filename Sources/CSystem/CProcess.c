#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/eventfd.h>
#endif

extern char **environ;

/// What the child has open: nothing, its output, nothing.
static int setDescriptors(posix_spawn_file_actions_t *actions, int output) {
    int failure = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    if (!failure) failure = posix_spawn_file_actions_adddup2(actions, output, 1);
    if (!failure) failure = posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0);
#if defined(__GLIBC__)
    // What a library opened without close-on-exec ends here, too.
    if (!failure) failure = posix_spawn_file_actions_addclosefrom_np(actions, 3);
#endif
    return failure;
}

/// A group of its own, no signal blocked, and none ignored that this process ignores.
static int setAttributes(posix_spawnattr_t *attributes) {
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
#ifdef POSIX_SPAWN_CLOEXEC_DEFAULT
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
    int failure = posix_spawnattr_setpgroup(attributes, 0);
    if (!failure) failure = posix_spawnattr_setsigmask(attributes, &none);
    if (!failure) failure = posix_spawnattr_setsigdefault(attributes, &defaults);
    if (!failure) failure = posix_spawnattr_setflags(attributes, flags);
    return failure;
}

static int spawn(const char *program, char **arguments, int output, pid_t *child) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure) return failure;
    failure = posix_spawnattr_init(&attributes);
    if (!failure) {
        failure = setDescriptors(&actions, output);
        if (!failure) failure = setAttributes(&attributes);
        if (!failure) failure = posix_spawn(child, program, &actions, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

int presignSpawn(const char *program, const char *arguments, int count, int *output) {
    int ends[2];
    char **pointers = calloc((size_t)count + 1, sizeof *pointers);
    if (!pointers) return -ENOMEM;
    for (int index = 0; index < count; index++) {
        pointers[index] = (char *)arguments;
        arguments += strlen(arguments) + 1;
    }
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) {
        int code = errno;
        free(pointers);
        return -code;
    }
    // The child's end blocks: programs do not expect otherwise.
    fcntl(ends[1], F_SETFL, 0);
    pid_t child = 0;
    int failure = spawn(program, pointers, ends[1], &child);
    free(pointers);
    close(ends[1]);
    if (failure) {
        close(ends[0]);
        return -failure;
    }
    *output = ends[0];
    return child;
}

int presignReap(int child, bool waits, int *status) {
    int found, raw;
    do found = waitpid(child, &raw, waits ? 0 : WNOHANG);
    while (found < 0 && errno == EINTR);
    if (found <= 0) return found < 0 ? -errno : 0;
    *status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
    return 1;
}

int presignKillGroup(int child) { return kill(-child, SIGKILL) < 0 ? -errno : 0; }

static void *passGate(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/// Starts a thread on memory of ours: of its own the library would keep what was touched.
static int startThread(pthread_t *thread, pthread_attr_t *attributes, char *stack, size_t size, pthread_mutex_t *gate) {
    int failure = pthread_attr_setstack(attributes, stack, size);
    return failure ? failure : pthread_create(thread, attributes, passGate, gate);
}

int presignTryThreads(int count) {
    pthread_attr_t attributes;
    int failure = pthread_attr_init(&attributes);
    if (failure) return failure;
    // As much as a thread has that is started without a word about it: the room for addresses may be the limit.
    size_t size;
    failure = pthread_attr_getstacksize(&attributes, &size);
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
    char *stacks = failure ? MAP_FAILED : mmap(NULL, (size_t)count * size, PROT_READ | PROT_WRITE, flags, -1, 0);
    pthread_t *threads = calloc((size_t)count, sizeof *threads);
    if (stacks == MAP_FAILED || !threads) failure = ENOMEM;
    int begun = 0;
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&gate);
    while (begun < count && !failure) {
        failure = startThread(&threads[begun], &attributes, stacks + (size_t)begun * size, size, &gate);
        if (!failure) begun++;
    }
    pthread_mutex_unlock(&gate);
    while (begun > 0) pthread_join(threads[--begun], NULL);
    free(threads);
    if (stacks != MAP_FAILED) munmap(stacks, (size_t)count * size);
    pthread_attr_destroy(&attributes);
    return failure;
}

/// A descriptor that needs no right to anything.
static int openNothing(void) {
#ifdef __linux__
    return eventfd(0, EFD_CLOEXEC);
#else
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
#endif
}

int presignTryDescriptors(int count) {
    int *descriptors = calloc((size_t)count, sizeof *descriptors);
    if (!descriptors) return ENOMEM;
    int opened = 0;
    while (opened < count && (descriptors[opened] = openNothing()) >= 0) opened++;
    int failure = opened < count ? errno : 0;
    while (opened > 0) close(descriptors[--opened]);
    free(descriptors);
    return failure;
}
