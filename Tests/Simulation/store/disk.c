// A disk that fails. Loaded into the embedded storage with LD_PRELOAD, it counts the operations that change the files
// below DISK_ROOT, and does something at operation DISK_STOP:
//
//   DISK_MODE=error   the operation fails with EIO; a write stores half of its bytes first
//   DISK_MODE=full    from then on every write and creation fails with ENOSPC, for DISK_LENGTH operations
//   DISK_MODE=kill    the process is killed before the operation
//   DISK_MODE=power   the power fails: what was not synced is lost in part, then the process is killed
//
// Lost are the bytes written since the file's last fsync, or some of them, and the last changes of each directory since
// its last fsync. DISK_SEED decides how much. DISK_IGNORE=files or =directories ignores fsync, as a mutation.
// DISK_SPARE is a directory on the same file system, for files that are replaced or removed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long operations;
static uint64_t state;

static long setting(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

static int is(const char *name, const char *value) {
    const char *text = getenv(name);
    return text && strcmp(text, value) == 0;
}

static uint64_t below(uint64_t count) {
    uint64_t bits = state += 0x9E3779B97F4A7C15;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
    return ((bits ^ (bits >> 31)) >> 8) % count;
}

static int is_below_root(int descriptor) {
    static const char *root;
    char link[64], path[PATH_MAX];
    int saved = errno;
    if (!root) root = getenv("DISK_ROOT");
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(link, path, sizeof path - 1);
    errno = saved;
    if (!root || count < 0) return 0;
    path[count] = 0;
    return strncmp(path, root, strlen(root)) == 0;
}

// MARK: What is not synced

struct file {
    dev_t device;
    ino_t inode;
    int descriptor;
    off_t synced;
};

struct change {
    enum { CREATED, MADE, LINKED, MOVED, REMOVED, REMOVED_FOLDER } kind;
    ino_t folder;
    int from, to;
    char name[NAME_MAX + 1], target[NAME_MAX + 1];
    int spare; // The number of the file that was replaced or removed; 0 if there was none.
};

static struct file files[1024];
static struct change changes[65536];
static int file_count, change_count, spare_count;

static ino_t inode_of(int descriptor) {
    struct stat status;
    return fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

static struct file *file_of(int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status) != 0) return NULL;
    for (int index = 0; index < file_count; index++)
        if (files[index].inode == status.st_ino && files[index].device == status.st_dev) return &files[index];
    if (file_count == 1024) abort();
    struct file *file = &files[file_count++];
    *file = (struct file){status.st_dev, status.st_ino, dup(descriptor), status.st_size};
    return file;
}

static void forget(int descriptor) {
    struct file *file = file_of(descriptor);
    if (!file) return;
    close(file->descriptor);
    *file = files[--file_count];
}

static void spare_path(int number, char *path) { snprintf(path, PATH_MAX, "%s/%d", getenv("DISK_SPARE"), number); }

// Keeps a file that is about to be replaced or removed.
static int keep(int folder, const char *name) {
    char path[PATH_MAX];
    spare_path(spare_count + 1, path);
    return REAL(linkat)(folder, name, AT_FDCWD, path, 0) == 0 ? ++spare_count : 0;
}

static void record(int kind, int from, const char *name, int to, const char *target, int spare) {
    if (change_count == 65536) abort();
    struct change *change = &changes[change_count++];
    change->kind = kind;
    change->folder = inode_of(to);
    change->from = dup(from);
    change->to = dup(to);
    snprintf(change->name, sizeof change->name, "%s", name);
    snprintf(change->target, sizeof change->target, "%s", target);
    change->spare = spare;
}

static void settle(ino_t folder) {
    int kept = 0;
    for (int index = 0; index < change_count; index++) {
        if (changes[index].folder == folder) {
            close(changes[index].from);
            close(changes[index].to);
        } else {
            changes[kept++] = changes[index];
        }
    }
    change_count = kept;
}

static void undo(struct change *change) {
    char path[PATH_MAX];
    spare_path(change->spare, path);
    switch (change->kind) {
    case CREATED:
    case LINKED: REAL(unlinkat)(change->to, change->target, 0); break;
    case MADE: REAL(unlinkat)(change->to, change->target, AT_REMOVEDIR); break;
    case MOVED: REAL(renameat)(change->to, change->target, change->from, change->name); break;
    case REMOVED_FOLDER: REAL(mkdirat)(change->to, change->target, 0700); break;
    case REMOVED: break;
    }
    if (change->spare) REAL(linkat)(AT_FDCWD, path, change->to, change->target, 0);
}

static void lose_power(void) {
    for (int index = 0; index < file_count; index++) {
        struct stat status;
        struct file *file = &files[index];
        if (fstat(file->descriptor, &status) != 0 || status.st_size <= file->synced) continue;
        off_t size = file->synced + (off_t)below((uint64_t)(status.st_size - file->synced) + 1);
        if (ftruncate(file->descriptor, size) != 0) abort();
        // The size can be on the disk without the bytes.
        if (below(2) && ftruncate(file->descriptor, status.st_size) != 0) abort();
    }
    // A folder loses its last changes.
    static struct { ino_t folder; int lost; } folders[4096];
    int folder_count = 0;
    for (int index = change_count - 1; index >= 0; index--) {
        int folder = 0;
        while (folder < folder_count && folders[folder].folder != changes[index].folder) folder++;
        if (folder == folder_count) {
            if (folder_count++ == 4096) abort();
            folders[folder].folder = changes[index].folder;
            folders[folder].lost = below(3) ? 1 << 20 : (int)below(4);
        }
        if (folders[folder].lost-- > 0) undo(&changes[index]);
    }
    kill(getpid(), SIGKILL);
}

// MARK: What happens at an operation

// Counts an operation. Returns the error with which it fails, or 0.
static int operate(int needs_space) {
    long stop = setting("DISK_STOP", -1), now = ++operations;
    if (now == 1) state = (uint64_t)setting("DISK_SEED", 0);
    if (stop < 0 || now < stop) return 0;
    if (is("DISK_MODE", "full")) return needs_space && now < stop + setting("DISK_LENGTH", 20) ? ENOSPC : 0;
    if (now > stop) return 0;
    if (is("DISK_MODE", "kill")) kill(getpid(), SIGKILL);
    if (is("DISK_MODE", "power")) lose_power();
    return EIO;
}

static int failed(int code) {
    errno = code;
    return -1;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || !is_below_root(descriptor))
        return REAL(write)(descriptor, bytes, count);
    pthread_mutex_lock(&lock);
    file_of(descriptor);
    int error = operate(1);
    if (error && count > 1) REAL(write)(descriptor, bytes, count / 2);
    ssize_t result = error ? failed(error) : REAL(write)(descriptor, bytes, count);
    pthread_mutex_unlock(&lock);
    return result;
}

ssize_t copy_file_range(int from, off64_t *offset, int to, off64_t *target, size_t count, unsigned flags) {
    pthread_mutex_lock(&lock);
    int is_own = is_below_root(to);
    if (is_own) file_of(to);
    int error = is_own ? operate(1) : 0;
    ssize_t result = error ? failed(error) : REAL(copy_file_range)(from, offset, to, target, count, flags);
    pthread_mutex_unlock(&lock);
    return result;
}

int fsync(int descriptor) {
    if (!is_below_root(descriptor)) return REAL(fsync)(descriptor);
    pthread_mutex_lock(&lock);
    int result = 0, error = operate(0);
    struct stat status;
    if (error) {
        result = failed(error);
    } else if (fstat(descriptor, &status) == 0) {
        if (S_ISDIR(status.st_mode) && !is("DISK_IGNORE", "directories")) settle(status.st_ino);
        if (S_ISREG(status.st_mode) && !is("DISK_IGNORE", "files")) forget(descriptor);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

int openat(int folder, const char *name, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (!(flags & O_CREAT) || !is_below_root(folder)) return REAL(openat)(folder, name, flags, mode);
    pthread_mutex_lock(&lock);
    int error = operate(1), result = error ? failed(error) : REAL(openat)(folder, name, flags, mode);
    if (result >= 0) {
        file_of(result);
        record(CREATED, folder, name, folder, name, 0);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

int openat64(int folder, const char *name, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return openat(folder, name, flags, mode);
}

int mkdirat(int folder, const char *name, mode_t mode) {
    if (!is_below_root(folder)) return REAL(mkdirat)(folder, name, mode);
    pthread_mutex_lock(&lock);
    // Folders that exist do not count.
    struct stat status;
    int exists = fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    int error = exists ? EEXIST : operate(1), result = error ? failed(error) : REAL(mkdirat)(folder, name, mode);
    if (result == 0) record(MADE, folder, name, folder, name, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int renameat(int folder, const char *name, int target, const char *new_name) {
    if (!is_below_root(folder)) return REAL(renameat)(folder, name, target, new_name);
    pthread_mutex_lock(&lock);
    int error = operate(0), spare = error ? 0 : keep(target, new_name);
    int result = error ? failed(error) : REAL(renameat)(folder, name, target, new_name);
    if (result == 0) record(MOVED, folder, name, target, new_name, spare);
    pthread_mutex_unlock(&lock);
    return result;
}

int linkat(int folder, const char *name, int target, const char *new_name, int flags) {
    if (!is_below_root(folder)) return REAL(linkat)(folder, name, target, new_name, flags);
    pthread_mutex_lock(&lock);
    int error = operate(0), result = error ? failed(error) : REAL(linkat)(folder, name, target, new_name, flags);
    if (result == 0) record(LINKED, folder, name, target, new_name, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int unlinkat(int folder, const char *name, int flags) {
    if (!is_below_root(folder)) return REAL(unlinkat)(folder, name, flags);
    pthread_mutex_lock(&lock);
    int error = operate(0), spare = error || flags ? 0 : keep(folder, name);
    int result = error ? failed(error) : REAL(unlinkat)(folder, name, flags);
    if (result == 0) record(flags ? REMOVED_FOLDER : REMOVED, folder, name, folder, name, spare);
    pthread_mutex_unlock(&lock);
    return result;
}
