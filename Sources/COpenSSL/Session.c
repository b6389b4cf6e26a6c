// The steps of a session. None of them blocks.

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
    // Only subject alternative names count, not the common name (RFC 9525 section 2).
    SSL_set_hostflags(session, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
    if (is_address) return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host) == 1;
    return SSL_set1_host(session, host) == 1 && SSL_set_tlsext_host_name(session, host) == 1;
}

void presign_tls_session_free(presign_tls_session *session) { SSL_free(session); }

static bool has_reason(int reason) {
    unsigned long error = ERR_peek_error();
    return ERR_GET_LIB(error) == ERR_LIB_SSL && ERR_GET_REASON(error) == reason;
}

/// The result of a call that did not succeed.
static int outcome(const SSL *session, int result) {
    switch (SSL_get_error(session, result)) {
    case SSL_ERROR_WANT_READ: return PRESIGN_TLS_WANTS_READ;
    case SSL_ERROR_WANT_WRITE: return PRESIGN_TLS_WANTS_WRITE;
    case SSL_ERROR_ZERO_RETURN: return PRESIGN_TLS_CLOSED;
    case SSL_ERROR_SSL:
        if (has_reason(SSL_R_HTTP_REQUEST)) return PRESIGN_TLS_IS_HTTP;
        return has_reason(SSL_R_UNEXPECTED_EOF_WHILE_READING) ? PRESIGN_TLS_CUT : PRESIGN_TLS_FAILED;
    case SSL_ERROR_SYSCALL: return BIO_eof(SSL_get_rbio(session)) ? PRESIGN_TLS_CUT : PRESIGN_TLS_FAILED;
    default: return PRESIGN_TLS_FAILED;
    }
}

// SSL_get_error reads the thread's error queue, so each step clears the errors of earlier calls first.

int presign_tls_session_handshake(presign_tls_session *session) {
    BIO *socket = SSL_get_rbio(session);
    ERR_clear_error();
    presign_tls_socket_begin_step(socket);
    int result = SSL_do_handshake(session);
    if (result == 1) return 1;
    int refusal = presign_tls_socket_refusal(socket);
    if (refusal) {
        ERR_raise(ERR_LIB_SSL, refusal);
        return PRESIGN_TLS_FAILED;
    }
    return outcome(session, result);
}

bool presign_tls_session_received_head(const presign_tls_session *session) {
    return presign_tls_socket_received_head(SSL_get_rbio(session));
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
    // SSL_has_pending is false after only a record's header was read. The state "RB" means waiting for the body.
    return SSL_has_pending(session) == 1 || SSL_rstate_string(session)[1] == 'B';
}

void presign_tls_session_reason(const presign_tls_session *session, presign_tls_reason *reason) {
    long verdict = SSL_get_verify_result(session);
    if (has_reason(SSL_R_CERTIFICATE_VERIFY_FAILED) && verdict != X509_V_OK) {
        ERR_clear_error();
        presign_tls_explain(reason, X509_verify_cert_error_string(verdict), false);
    } else {
        const char *detail = ERR_reason_error_string(ERR_peek_error());
        ERR_clear_error();
        presign_tls_explain(reason, detail ? detail : "the connection failed", false);
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
