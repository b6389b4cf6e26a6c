// Connected sockets.

#define _GNU_SOURCE

#include "Sockets.h"
#include "Internal.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

int presign_socket_prepare(int descriptor) {
    if (descriptor < 0) return -errno;
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0) return fail(descriptor);
    if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) < 0) return fail(descriptor);
    return descriptor;
}

int presign_socket_connect_tcp(const uint8_t *address, int length, uint16_t port) {
    int descriptor = presign_socket_prepare(socket(length == 4 ? AF_INET : AF_INET6, SOCK_STREAM, 0));
    if (descriptor < 0) return descriptor;
    int yes = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    struct sockaddr_storage storage;
    socklen_t size = presign_socket_fill(&storage, address, length, port);
    // An interrupted connect continues in the background, like one in progress.
    if (connect(descriptor, (struct sockaddr *)&storage, size) < 0 && errno != EINPROGRESS && errno != EINTR) {
        return fail(descriptor);
    }
    return descriptor;
}

int presign_connect_unix(const char *path, int timeout) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return -ENAMETOOLONG;
    strcpy(address.sun_path, path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    if (descriptor < 0) return -errno;
    struct timeval time = {.tv_sec = timeout};
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
    if (connect(descriptor, (const struct sockaddr *)&address, sizeof address) < 0) return fail(descriptor);
    return presign_socket_prepare(descriptor);
}

int presign_socket_connected(int descriptor) {
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) < 0) return -errno;
    return -error;
}

int presign_socket_accept(int listener, presign_peer *peer) {
    struct sockaddr_storage storage;
    socklen_t size = sizeof storage;
    storage.ss_family = AF_UNSPEC;
    int flags = SOCK_NONBLOCK | SOCK_CLOEXEC;
    int descriptor = TEMP_FAILURE_RETRY(accept4(listener, (struct sockaddr *)&storage, &size, flags));
    if (descriptor < 0) return -errno;
    presign_socket_describe(&storage, peer);
    return descriptor;
}

ssize_t presign_socket_receive(int descriptor, void *bytes, size_t count) {
    ssize_t received = TEMP_FAILURE_RETRY(recv(descriptor, bytes, count, 0));
    return received < 0 ? -errno : received;
}

bool presign_socket_has_ended(int descriptor) {
    uint8_t byte;
    return recv(descriptor, &byte, 1, MSG_PEEK) == 0;
}

ssize_t presign_socket_send(int descriptor, const void *bytes, size_t count) {
    ssize_t sent = TEMP_FAILURE_RETRY(send(descriptor, bytes, count, MSG_NOSIGNAL));
    return sent < 0 ? -errno : sent;
}

void presign_socket_block_sigpipe(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

ssize_t presign_socket_send_file(int descriptor, int file, int64_t position, size_t count) {
    off_t offset = position;
    ssize_t sent = TEMP_FAILURE_RETRY(sendfile(descriptor, file, &offset, count));
    return sent < 0 ? -errno : sent;
}

int presign_socket_finish_writing(int descriptor) { return result(shutdown(descriptor, SHUT_WR)); }

// close() is not retried after EINTR: on Linux the descriptor is closed either way.
int presign_socket_close(int descriptor) { return result(close(descriptor)); }
