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

/// The child's descriptors: /dev/null for input, the pipes for output and errors.
static int setDescriptors(posix_spawn_file_actions_t *actions, int output, int errors) {
    int failure = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    if (!failure) failure = posix_spawn_file_actions_adddup2(actions, output, 1);
    if (!failure) failure = posix_spawn_file_actions_adddup2(actions, errors, 2);
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

static int spawn(const char *program, char **arguments, int output, int errors, pid_t *child) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure) return failure;
    failure = posix_spawnattr_init(&attributes);
    if (!failure) {
        failure = setDescriptors(&actions, output, errors);
        if (!failure) failure = setAttributes(&attributes);
        if (!failure) failure = posix_spawn(child, program, &actions, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

/// Opens a pipe whose read end is non-blocking. The child's end is blocking, as programs expect.
static int openPipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) return errno;
    fcntl(ends[1], F_SETFL, 0);
    return 0;
}

static void closePipe(int ends[2]) {
    close(ends[0]);
    close(ends[1]);
}

int presign_spawn(const char *program, const char *arguments, int count, int *output, int *errors) {
    int out[2], err[2];
    char **pointers = calloc((size_t)count + 1, sizeof *pointers);
    if (!pointers) return -ENOMEM;
    for (int index = 0; index < count; index++) {
        pointers[index] = (char *)arguments;
        arguments += strlen(arguments) + 1;
    }
    pid_t child = 0;
    int failure = openPipe(out);
    if (!failure) {
        failure = openPipe(err);
        if (failure) {
            closePipe(out);
        } else {
            failure = spawn(program, pointers, out[1], err[1], &child);
            if (failure) {
                closePipe(out);
                closePipe(err);
            }
        }
    }
    free(pointers);
    if (failure) return -failure;
    close(out[1]);
    close(err[1]);
    *output = out[0];
    *errors = err[0];
    return child;
}

const char *presign_environment(int index) { return environ[index]; }

int presign_reap(int child, bool waits, int *status) {
    int raw;
    int found = TEMP_FAILURE_RETRY(waitpid(child, &raw, waits ? 0 : WNOHANG));
    if (found <= 0) return found < 0 ? -errno : 0;
    *status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
    return 1;
}

int presign_kill_group(int child) { return kill(-child, SIGKILL) < 0 ? -errno : 0; }
