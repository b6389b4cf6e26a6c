#define _GNU_SOURCE
#include "Files.h"

#include <dirent.h>
#include <errno.h>
#include <sys/file.h>
#include <sys/types.h>
#include <unistd.h>

const char *presign_next_name(void *directory) {
    errno = 0;
    struct dirent *entry = readdir(directory);
    return entry ? entry->d_name : NULL;
}

int presign_lock_exclusively(int descriptor) {
    return flock(descriptor, LOCK_EX | LOCK_NB);
}

ptrdiff_t presign_copy_range(int source, int64_t offset, int target, size_t count) {
    off64_t start = offset;
    return copy_file_range(source, &start, target, NULL, count, 0);
}
