// One connection's steps. None of them blocks.

#include "Internal.h"

#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <string.h>

presign_tls_session *presign_tls_session_create(presign_tls_context *context, int descriptor, bool is_server) {
    SSL *session = SSL_new(context);
    BIO *socket = session ? presign_tls_socket(session, descriptor) : NULL;
    if (!socket) {
        ERR_clear_error();
        SSL_free(session);
        return NULL;
    }
    SSL_set_bio(session, socket, socket);
    if (is_server) SSL_set_accept_state(session);
    else SSL_set_connect_state(session);
    return session;
}

bool presign_tls_session_expect(presign_tls_session *session, const char *host, bool is_address) {
    // The name must stand among the certificate's names for that purpose; the common name is none (RFC 9525 section 2).
    SSL_set_hostflags(session, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
    if (is_address) return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host) == 1;
    return SSL_set1_host(session, host) == 1 && SSL_set_tlsext_host_name(session, host) == 1;
}

void presign_tls_session_free(presign_tls_session *session) { SSL_free(session); }

static bool has_reason(int reason) {
    unsigned long error = ERR_peek_error();
    return ERR_GET_LIB(error) == ERR_LIB_SSL && ERR_GET_REASON(error) == reason;
}

/// What a call that did not succeed came to.
static int outcome(const SSL *session, int result) {
    switch (SSL_get_error(session, result)) {
    case SSL_ERROR_WANT_READ: return TRANSPORT_WANTS_READ;
    case SSL_ERROR_WANT_WRITE: return TRANSPORT_WANTS_WRITE;
    case SSL_ERROR_ZERO_RETURN: return TRANSPORT_CLOSED;
    case SSL_ERROR_SSL:
        if (has_reason(SSL_R_HTTP_REQUEST)) return TRANSPORT_IS_HTTP;
        return has_reason(SSL_R_UNEXPECTED_EOF_WHILE_READING) ? TRANSPORT_CUT : TRANSPORT_FAILED;
    case SSL_ERROR_SYSCALL: return BIO_eof(SSL_get_rbio(session)) ? TRANSPORT_CUT : TRANSPORT_FAILED;
    default: return TRANSPORT_FAILED;
    }
}

// SSL_get_error looks into the thread's queue of errors, where another's may stand: hence it is cleared each time.

int presign_tls_session_handshake(presign_tls_session *session) {
    BIO *socket = SSL_get_rbio(session);
    ERR_clear_error();
    presign_tls_socket_begin_step(socket);
    int result = SSL_do_handshake(session);
    if (result == 1) return 1;
    int refusal = presign_tls_socket_refusal(socket);
    if (refusal) {
        ERR_raise(ERR_LIB_SSL, refusal);
        return TRANSPORT_FAILED;
    }
    return outcome(session, result);
}

bool presign_tls_session_met_head(const presign_tls_session *session) {
    return presign_tls_socket_met_head(SSL_get_rbio(session));
}

ptrdiff_t presign_tls_session_read(presign_tls_session *session, void *bytes, size_t count) {
    size_t taken;
    ERR_clear_error();
    presign_tls_socket_begin_step(SSL_get_rbio(session));
    return SSL_read_ex(session, bytes, count, &taken) == 1 ? (ptrdiff_t)taken : outcome(session, 0);
}

ptrdiff_t presign_tls_session_write(presign_tls_session *session, const void *bytes, size_t count) {
    size_t taken;
    ERR_clear_error();
    presign_tls_socket_begin_step(SSL_get_rbio(session));
    return SSL_write_ex(session, bytes, count, &taken) == 1 ? (ptrdiff_t)taken : outcome(session, 0);
}

int presign_tls_session_shutdown(presign_tls_session *session) {
    ERR_clear_error();
    int result = SSL_shutdown(session);
    return result >= 0 ? 1 : outcome(session, result);
}

bool presign_tls_session_is_within_record(const presign_tls_session *session) {
    // A header by itself is not pending: it has been read, and the body is waited for ("RB").
    return SSL_has_pending(session) == 1 || SSL_rstate_string(session)[1] == 'B';
}

void presign_tls_session_reason(const presign_tls_session *session, presign_tls_reason *reason) {
    long verdict = SSL_get_verify_result(session);
    if (has_reason(SSL_R_CERTIFICATE_VERIFY_FAILED) && verdict != X509_V_OK) {
        ERR_clear_error();
        presign_tls_explain(reason, X509_verify_cert_error_string(verdict), false);
    } else {
        presign_tls_explain(reason, ERR_peek_error() ? "TLS" : "the connection is broken", false);
    }
}

const char *presign_tls_session_version(const presign_tls_session *session) { return SSL_get_version(session); }

bool presign_tls_session_is_resumed(const presign_tls_session *session) { return SSL_session_reused(session) == 1; }

size_t presign_tls_session_protocol(const presign_tls_session *session, uint8_t protocol[255]) {
    const unsigned char *chosen = NULL;
    unsigned int size = 0;
    SSL_get0_alpn_selected(session, &chosen, &size);
    if (size == 0 || size > 255) return 0;
    memcpy(protocol, chosen, size);
    return size;
}
