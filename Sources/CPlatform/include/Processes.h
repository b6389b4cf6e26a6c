#ifndef PRESIGN_PROCESSES_H
#define PRESIGN_PROCESSES_H

#include <stdbool.h>

/// Starts a program in a new process group with this process's environment. Its standard input is /dev/null.
///
/// `program` is a path. `arguments` are `count` consecutive NUL-terminated strings, the program's name first. `output`
/// and `errors` become the read ends of pipes from the program's standard output and standard error, non-blocking and
/// close-on-exec. Returns the child's id, or -errno.
int presign_spawn(const char *program, const char *arguments, int count, int *output, int *errors);

/// Returns the environment variable with an index as NAME=VALUE, or NULL after the last one.
const char *presign_environment(int index);

/// Reaps a child, and waits for its exit if `waits`. Returns 1 and the exit status (128 plus the number of the signal
/// that ended it), 0 if the child still runs, or -errno.
int presign_reap(int child, bool waits, int *status);

/// Sends SIGKILL to a child's process group. Call this only before the child is reaped: the kernel may reuse its id.
int presign_kill_group(int child);

#endif
