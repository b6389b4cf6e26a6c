#ifndef PRESIGN_PROCESSES_H
#define PRESIGN_PROCESSES_H

#include <stdbool.h>

/// Starts a program in a process group of its own, with our environment, nothing to read, and nowhere to complain.
///
/// `program` is a path. `arguments` are `count` texts one after the other, each with its NUL, the program's name first.
/// `output` becomes the reading end of a pipe that its standard output goes to, non-blocking and closed on exec. The
/// child's id, or -errno. posix_spawn's many structures are safer on this side.
int presign_spawn(const char *program, const char *arguments, int count, int *output);

/// Takes up a child that has ended: 1 and its exit status (a signal's number plus 128), 0 when it still runs, -errno.
int presign_reap(int child, bool waits, int *status);

/// Sends SIGKILL to the child's process group. Call it only before the child is reaped: the kernel may reuse its number.
int presign_kill_group(int child);

#endif
