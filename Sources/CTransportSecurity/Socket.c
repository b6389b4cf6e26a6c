// A session's way to its socket. OpenSSL's own would write with write(2), which raises SIGPIPE when the peer is gone.

#include "Internal.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

// The descriptor stands where a pointer to the method's data would: one allocation less for each connection.
static int descriptor_of(BIO *bio) { return (int)(intptr_t)BIO_get_data(bio); }

static bool is_blocked(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

static int write_socket(BIO *bio, const char *bytes, size_t count, size_t *written) {
    ssize_t sent;
    do sent = send(descriptor_of(bio), bytes, count, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    BIO_clear_retry_flags(bio);
    if (sent < 0 && is_blocked(errno)) BIO_set_retry_write(bio);
    *written = sent > 0 ? (size_t)sent : 0;
    return sent > 0;
}

static int read_socket(BIO *bio, char *bytes, size_t count, size_t *taken) {
    ssize_t received;
    do received = recv(descriptor_of(bio), bytes, count, 0);
    while (received < 0 && errno == EINTR);
    BIO_clear_retry_flags(bio);
    if (received < 0 && is_blocked(errno)) BIO_set_retry_read(bio);
    if (received == 0) BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
    *taken = received > 0 ? (size_t)received : 0;
    return received > 0;
}

static long control(BIO *bio, int command, long number, void *pointer) {
    (void)number, (void)pointer;
    switch (command) {
    case BIO_CTRL_FLUSH: return 1;
    case BIO_CTRL_EOF: return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0;
    default: return 0;
    }
}

static BIO_METHOD *method;

static void make_method(void) {
    BIO_METHOD *made = BIO_meth_new(BIO_TYPE_SOURCE_SINK | BIO_get_new_index(), "socket without SIGPIPE");
    if (!made) return;
    BIO_meth_set_write_ex(made, write_socket);
    BIO_meth_set_read_ex(made, read_socket);
    BIO_meth_set_ctrl(made, control);
    method = made;
}

BIO *transport_socket(int descriptor) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_method);
    BIO *bio = method ? BIO_new(method) : NULL;
    if (!bio) return NULL;
#ifdef SO_NOSIGPIPE
    int yes = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
    BIO_set_data(bio, (void *)(intptr_t)descriptor);
    BIO_set_init(bio, 1);
    return bio;
}

int transport_wait(int descriptor, bool for_writing, int milliseconds) {
    struct pollfd entry = {.fd = descriptor, .events = for_writing ? POLLOUT : POLLIN};
    int ready = poll(&entry, 1, milliseconds);
    if (ready < 0) return errno == EINTR ? 0 : -errno;
    return ready;
}
