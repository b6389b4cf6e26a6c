#define _GNU_SOURCE
#include "Processes.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/// The child's descriptors: /dev/null for input and errors, the pipe for output.
static int setDescriptors(posix_spawn_file_actions_t *actions, int output) {
    int failure = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    if (!failure) failure = posix_spawn_file_actions_adddup2(actions, output, 1);
    if (!failure) failure = posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0);
    // Libraries may have opened descriptors without close-on-exec.
    if (!failure) failure = posix_spawn_file_actions_addclosefrom_np(actions, 3);
    return failure;
}

/// A new process group, no blocked signals, and default actions for the signals that this process ignores.
static int setAttributes(posix_spawnattr_t *attributes) {
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
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

int presign_spawn(const char *program, const char *arguments, int count, int *output) {
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
    // The child's end is blocking, as programs expect.
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

int presign_reap(int child, bool waits, int *status) {
    int raw;
    int found = TEMP_FAILURE_RETRY(waitpid(child, &raw, waits ? 0 : WNOHANG));
    if (found <= 0) return found < 0 ? -errno : 0;
    *status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
    return 1;
}

int presign_kill_group(int child) { return kill(-child, SIGKILL) < 0 ? -errno : 0; }
