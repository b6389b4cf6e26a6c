// The BIO between a session and its socket. OpenSSL's own socket BIO uses write(2), which raises SIGPIPE if the peer is
// gone.

#define _GNU_SOURCE
#include "Internal.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

// OpenSSL continues a handshake while there is input. A client could send a message as up to 130,000 records of one
// byte each, and would occupy an event loop without these limits.
enum {
    /// A record takes two reads: one for the header, one for the body.
    MOST_READS_OF_STEP = 64,
    /// More than the bytes of a normal handshake, so one that arrives byte by byte succeeds.
    MOST_READS_OF_HANDSHAKE = 8192,
};

typedef struct {
    SSL *session;
    int descriptor;
    int reads, step_reads;
    /// How many bytes of `head` the peer has sent; NOT_HEAD if it sent others.
    uint8_t head_bytes;
    bool has_long_hello;
    presign_tls_hello hello;
} socket_state;

static const char head[] = "HEAD ";

enum { HEAD_SIZE = sizeof head - 1, NOT_HEAD = UINT8_MAX };

static socket_state *state_of(BIO *bio) { return BIO_get_data(bio); }

static int descriptor_of(BIO *bio) { return state_of(bio)->descriptor; }

void presign_tls_socket_begin_step(BIO *bio) { state_of(bio)->step_reads = 0; }

bool presign_tls_socket_received_head(BIO *bio) { return state_of(bio)->head_bytes == HEAD_SIZE; }

int presign_tls_socket_refusal(BIO *bio) {
    const socket_state *state = state_of(bio);
    if (state->has_long_hello) return SSL_R_EXCESSIVE_MESSAGE_SIZE;
    return state->reads >= MOST_READS_OF_HANDSHAKE ? SSL_R_RECORD_TOO_SMALL : 0;
}

/// Counts reads and checks a client's first bytes. A client that sends plain HTTP gets a plain HTTP response, which
/// must not have content if the request is HEAD.
static void note_read(socket_state *state, const char *bytes, size_t count) {
    if (state->head_bytes < HEAD_SIZE) {
        bool fits = count <= (size_t)(HEAD_SIZE - state->head_bytes) && !memcmp(bytes, head + state->head_bytes, count);
        state->head_bytes = fits ? (uint8_t)(state->head_bytes + count) : NOT_HEAD;
    }
    if (state->reads < MOST_READS_OF_HANDSHAKE) state->reads++;
    state->step_reads++;
    if (!SSL_is_server(state->session) || SSL_is_init_finished(state->session)) return;
    state->has_long_hello =
        !presign_tls_hello_accepts(&state->hello, state->session, (const uint8_t *)bytes, count);
}

static bool is_blocked(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

static int write_socket(BIO *bio, const char *bytes, size_t count, size_t *written) {
    ssize_t sent = TEMP_FAILURE_RETRY(send(descriptor_of(bio), bytes, count, MSG_NOSIGNAL));
    BIO_clear_retry_flags(bio);
    if (sent < 0 && is_blocked(errno)) BIO_set_retry_write(bio);
    *written = sent > 0 ? (size_t)sent : 0;
    return sent > 0;
}

static int read_socket(BIO *bio, char *bytes, size_t count, size_t *taken) {
    ssize_t received;
    *taken = 0;
    if (state_of(bio)->step_reads == MOST_READS_OF_STEP) {
        BIO_clear_retry_flags(bio);
        BIO_set_retry_read(bio);
        return 0;
    }
    received = TEMP_FAILURE_RETRY(recv(descriptor_of(bio), bytes, count, 0));
    BIO_clear_retry_flags(bio);
    if (received < 0 && is_blocked(errno)) BIO_set_retry_read(bio);
    if (received == 0) BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
    if (received <= 0) return 0;
    note_read(state_of(bio), bytes, (size_t)received);
    if (state_of(bio)->has_long_hello) return 0;
    *taken = (size_t)received;
    return 1;
}

static long control(BIO *bio, int command, long number, void *pointer) {
    (void)number, (void)pointer;
    switch (command) {
    case BIO_CTRL_FLUSH: return 1;
    case BIO_CTRL_EOF: return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0;
    default: return 0;
    }
}

static int release(BIO *bio) {
    OPENSSL_free(state_of(bio));
    return 1;
}

static BIO_METHOD *method;

static void make_method(void) {
    BIO_METHOD *created = BIO_meth_new(BIO_TYPE_SOURCE_SINK | BIO_get_new_index(), "socket without SIGPIPE");
    if (!created) return;
    BIO_meth_set_write_ex(created, write_socket);
    BIO_meth_set_read_ex(created, read_socket);
    BIO_meth_set_ctrl(created, control);
    BIO_meth_set_destroy(created, release);
    method = created;
}

BIO *presign_tls_socket(SSL *session, int descriptor) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_method);
    BIO *bio = method ? BIO_new(method) : NULL;
    if (!bio) return NULL;
    socket_state *state = OPENSSL_zalloc(sizeof *state);
    if (!state) {
        BIO_free(bio);
        return NULL;
    }
    state->session = session;
    state->descriptor = descriptor;
    BIO_set_data(bio, state);
    BIO_set_init(bio, 1);
    return bio;
}
