#ifndef PRESIGN_FILES_H
#define PRESIGN_FILES_H

#include <stddef.h>
#include <stdint.h>

/// Returns the name of the next entry of an open `DIR`, valid until the next call; NULL at the end (errno 0) or on
/// failure. Swift imports the char array of a `dirent` as a tuple.
const char *presign_next_name(void *directory);

/// Calls flock(LOCK_EX | LOCK_NB); returns -1 with errno set on failure. In Swift, `flock` is the structure of that
/// name.
int presign_lock_exclusively(int descriptor);

/// Calls copy_file_range from `offset` to the target's position; returns -1 with errno set on failure.
ptrdiff_t presign_copy_range(int source, int64_t offset, int target, size_t count);

#endif
