// Listening sockets.

#include "Sockets.h"
#include "Internal.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

void presign_socket_limit_buffers(int listener) {
    // The kernel doubles these values to allow for its overhead (socket(7)). Accepted sockets inherit them.
    int received = 32 * 1024, sent = 64 * 1024;
    setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &received, sizeof received);
    setsockopt(listener, SOL_SOCKET, SO_SNDBUF, &sent, sizeof sent);
}

int presign_socket_bind_tcp(const uint8_t *address, int length, uint16_t port, bool shared) {
    int descriptor = presign_socket_prepare(socket(length == 4 ? AF_INET : AF_INET6, SOCK_STREAM, 0));
    if (descriptor < 0) return descriptor;
    int yes = 1, no = 0;
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    // Accepted sockets inherit this option.
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    presign_socket_limit_buffers(descriptor);
    if (length == 16) setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
    if (shared && setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes) < 0) return fail(descriptor);
    struct sockaddr_storage storage;
    socklen_t size = presign_socket_fill(&storage, address, length, port);
    if (bind(descriptor, (struct sockaddr *)&storage, size) < 0) return fail(descriptor);
    return descriptor;
}

/// True if the path is a socket file that refuses connections, as left behind by a crashed process.
static bool is_stale(const struct sockaddr_un *address) {
    struct stat status;
    if (lstat(address->sun_path, &status) < 0 || !S_ISSOCK(status.st_mode)) return false;
    int probe = socket(AF_UNIX, SOCK_STREAM, 0);
    if (probe < 0) return false;
    bool refused = connect(probe, (const struct sockaddr *)address, sizeof *address) < 0 && errno == ECONNREFUSED;
    close(probe);
    return refused;
}

int presign_socket_bind_unix(const char *path, uint16_t mode) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof address.sun_path) return -ENAMETOOLONG;
    memcpy(address.sun_path, path, length);
    int descriptor = presign_socket_prepare(socket(AF_UNIX, SOCK_STREAM, 0));
    if (descriptor < 0) return descriptor;
    int bound = bind(descriptor, (struct sockaddr *)&address, sizeof address);
    if (bound < 0 && errno == EADDRINUSE) {
        if (!is_stale(&address)) {
            close(descriptor);
            return -EADDRINUSE;
        }
        unlink(path);
        bound = bind(descriptor, (struct sockaddr *)&address, sizeof address);
    }
    if (bound < 0) return fail(descriptor);
    // Clients cannot connect before listen(), so the mode applies to the first connection too.
    if (chmod(path, mode) < 0) {
        int error = fail(descriptor);
        unlink(path);
        return error;
    }
    return descriptor;
}

int presign_socket_listen(int descriptor, int backlog) { return result(listen(descriptor, backlog)); }

int presign_socket_port(int descriptor) {
    struct sockaddr_storage storage;
    socklen_t size = sizeof storage;
    if (getsockname(descriptor, (struct sockaddr *)&storage, &size) < 0) return -errno;
    if (storage.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&storage)->sin_port);
    if (storage.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&storage)->sin6_port);
    return 0;
}

int presign_socket_unlink(const char *path) { return result(unlink(path)); }
