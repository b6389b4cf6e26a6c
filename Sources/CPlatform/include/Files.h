#ifndef PRESIGN_FILES_H
#define PRESIGN_FILES_H

#include <stddef.h>
#include <stdint.h>

/// The name of the next entry of an open `DIR`, valid until the next call; NULL at the end (errno 0) or on failure.
/// An entry's name is a char array in C and a tuple in Swift.
const char *presign_next_name(void *directory);

/// flock(LOCK_EX | LOCK_NB); Swift takes `flock` for the structure of that name.
int presign_lock_exclusively(int descriptor);

/// copy_file_range from `offset` to the target's own position.
ptrdiff_t presign_copy_range(int source, int64_t offset, int target, size_t count);

#endif
