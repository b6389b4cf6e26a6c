// TLS contexts: versions, ciphers, keys, certificates and trusted authorities.

#include "Internal.h"

#include <limits.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <sys/stat.h>

// For TLS 1.2, only forward secrecy and authenticated encryption (Mozilla's "intermediate" without DHE, RFC 9325
// section 4.2). All ciphers of TLS 1.3 have both.
static const char CIPHERS[] = "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:"
                              "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:"
                              "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";

/// The only protocol, in the format of RFC 7301 section 3.1.
static const uint8_t PROTOCOLS[] = "\x08http/1.1";
enum { PROTOCOLS_SIZE = sizeof PROTOCOLS - 1 };

enum {
    /// Seconds during which a session can be resumed.
    SESSION_LIFE = 2 * 60 * 60,
    /// The most certificates between a client's and its root authority's.
    CHAIN_DEPTH = 8,
    /// The most bytes of a client's certificate chain. OpenSSL allocates the length that the client declares.
    CHAIN_SIZE = 32 * 1024,
};

/// Excludes finite-field groups, with which a client can cause expensive computation (CVE-2002-20001). OpenSSL 3.5 and
/// later also offer a post-quantum group, which protects recorded traffic against later decryption.
static bool choose_groups(SSL_CTX *context) {
    if (SSL_CTX_set1_groups_list(context, "X25519MLKEM768:X25519:P-256:P-384") == 1) return true;
    ERR_clear_error();
    return SSL_CTX_set1_groups_list(context, "X25519:P-256:P-384") == 1;
}

static SSL_CTX *create(const SSL_METHOD *method, presign_tls_reason *reason) {
    ERR_clear_error();
    SSL_CTX *context = SSL_CTX_new(method);
    if (context && SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1
        && SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION) == 1
        && SSL_CTX_set_cipher_list(context, CIPHERS) == 1 && choose_groups(context)) {
        SSL_CTX_set_security_level(context, 2);
        SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
        SSL_CTX_set_mode(
            context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS
                         | SSL_MODE_NO_AUTO_CHAIN);
        // Without AUTO_RETRY a read returns after each record, so no peer can occupy a thread.
        SSL_CTX_clear_mode(context, SSL_MODE_AUTO_RETRY);
        SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
        return context;
    }
    presign_tls_explain(reason, "OpenSSL cannot be set up", true);
    SSL_CTX_free(context);
    return NULL;
}

void presign_tls_context_free(presign_tls_context *context) { SSL_CTX_free(context); }

/// Returns a read-only BIO over the bytes; NULL if out of memory.
static BIO *text_of(const uint8_t *bytes, size_t size) {
    return size > INT_MAX ? NULL : BIO_new_mem_buf(size ? (const void *)bytes : "", (int)size);
}

/// Rejects encrypted PEM. OpenSSL's default would ask for the passphrase on the terminal.
static int refuse_passphrase(char *buffer, int size, int is_writing, void *is_encrypted) {
    (void)buffer, (void)size, (void)is_writing;
    if (is_encrypted) *(bool *)is_encrypted = true;
    return -1;
}

/// True if reading stopped at the end of the file, not at a damaged PEM block.
static bool is_at_end(void) {
    unsigned long error = ERR_peek_last_error();
    bool ended = ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
    if (ended) ERR_clear_error();
    return ended;
}

static bool use_chain(SSL_CTX *context, BIO *text, presign_tls_reason *reason) {
    X509 *certificate = PEM_read_bio_X509(text, NULL, refuse_passphrase, NULL);
    if (!certificate) {
        presign_tls_explain(reason, "the certificate file holds no certificate in PEM", true);
        return false;
    }
    bool used = SSL_CTX_use_certificate(context, certificate) == 1;
    X509_free(certificate);
    while (used && (certificate = PEM_read_bio_X509(text, NULL, refuse_passphrase, NULL))) {
        used = SSL_CTX_add0_chain_cert(context, certificate) == 1;
        if (!used) X509_free(certificate);
    }
    if (used && is_at_end()) return true;
    presign_tls_explain(reason, "a certificate in the certificate file cannot be used", true);
    return false;
}

static bool use_key(SSL_CTX *context, BIO *text, presign_tls_reason *reason) {
    bool is_encrypted = false;
    EVP_PKEY *key = PEM_read_bio_PrivateKey(text, NULL, refuse_passphrase, &is_encrypted);
    if (is_encrypted) {
        ERR_clear_error();
        presign_tls_explain(reason, "the private key is encrypted; remove its passphrase", true);
    } else if (!key) {
        presign_tls_explain(reason, "the key file holds no private key in PEM", true);
    } else if (X509_check_private_key(SSL_CTX_get0_certificate(context), key) != 1) {
        ERR_clear_error();
        presign_tls_explain(
            reason, "the private key does not belong to the first certificate in the certificate file", true);
    } else if (SSL_CTX_use_PrivateKey(context, key) != 1) {
        presign_tls_explain(reason, "the private key cannot be used", true);
    } else {
        EVP_PKEY_free(key);
        return true;
    }
    EVP_PKEY_free(key);
    return false;
}

/// A client that offers protocols must offer HTTP/1.1 (RFC 7301 section 3.2). A client that offers none uses it anyway.
static int choose_protocol(
    SSL *session, const unsigned char **chosen, unsigned char *size, const unsigned char *offered,
    unsigned int offered_size, void *argument) {
    (void)session, (void)argument;
    unsigned char *found;
    if (SSL_select_next_proto(&found, size, PROTOCOLS, PROTOCOLS_SIZE, offered, offered_size) != OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_ALERT_FATAL;
    *chosen = found;
    return SSL_TLSEXT_ERR_OK;
}

presign_tls_context *presign_tls_server_create(
    const uint8_t *chain, size_t chain_size, const uint8_t *key, size_t key_size, presign_tls_reason *reason) {
    SSL_CTX *context = create(TLS_server_method(), reason);
    if (!context) return NULL;
    SSL_CTX_set_max_cert_list(context, CHAIN_SIZE);
    SSL_CTX_set_alpn_select_cb(context, choose_protocol, NULL);
    SSL_CTX_set_timeout(context, SESSION_LIFE);
    // Required to resume sessions of clients with a certificate; must be the same in all contexts of the server.
    SSL_CTX_set_session_id_context(context, (const unsigned char *)"presign", 7);
    BIO *chain_text = text_of(chain, chain_size), *key_text = text_of(key, key_size);
    bool used = false;
    if (!chain_text || !key_text) presign_tls_explain(reason, "OpenSSL cannot be set up", true);
    else used = use_chain(context, chain_text, reason) && use_key(context, key_text, reason);
    BIO_free(chain_text);
    BIO_free(key_text);
    if (used) return context;
    SSL_CTX_free(context);
    return NULL;
}

static bool add_authorities(SSL_CTX *context, BIO *text, presign_tls_reason *reason) {
    X509 *authority;
    int count = 0;
    for (; (authority = PEM_read_bio_X509(text, NULL, refuse_passphrase, NULL)); count++) {
        bool added = X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority) == 1
                     && SSL_CTX_add_client_CA(context, authority) == 1;
        X509_free(authority);
        if (!added) break;
    }
    if (!authority && count > 0 && is_at_end()) return true;
    presign_tls_explain(reason, "the client CA file contains no usable certificate, or a damaged one", true);
    return false;
}

static bool add_lists(SSL_CTX *context, BIO *text, presign_tls_reason *reason) {
    X509_CRL *list;
    int count = 0;
    for (; (list = PEM_read_bio_X509_CRL(text, NULL, refuse_passphrase, NULL)); count++) {
        bool added = X509_STORE_add_crl(SSL_CTX_get_cert_store(context), list) == 1;
        X509_CRL_free(list);
        if (!added) break;
    }
    if (!list && count > 0 && is_at_end())
        // Checks the whole chain. Otherwise a revoked intermediate authority would still be accepted.
        return X509_STORE_set_flags(
                   SSL_CTX_get_cert_store(context), X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL)
               == 1;
    presign_tls_explain(reason, "the CRL file contains no usable revocation list, or a damaged one", true);
    return false;
}

bool presign_tls_server_accept_clients(
    presign_tls_context *context, const uint8_t *authorities, size_t authorities_size, const uint8_t *lists,
    size_t lists_size, bool required, presign_tls_reason *reason) {
    ERR_clear_error();
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | (required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0), NULL);
    SSL_CTX_set_verify_depth(context, CHAIN_DEPTH);
    SSL_CTX_set_max_cert_list(context, CHAIN_SIZE);
    BIO *text = text_of(authorities, authorities_size);
    bool added = text && add_authorities(context, text, reason);
    BIO_free(text);
    if (!added || lists_size == 0) return added;
    text = text_of(lists, lists_size);
    added = text && add_lists(context, text, reason);
    BIO_free(text);
    return added;
}

static bool seconds_since_1970(const ASN1_TIME *time, int64_t *seconds) {
    static const char epoch[] = "19700101000000Z";
    int days, rest;
    ASN1_TIME *start = ASN1_TIME_new();
    bool found = start && ASN1_TIME_set_string(start, epoch) == 1 && ASN1_TIME_diff(&days, &rest, start, time) == 1;
    ASN1_TIME_free(start);
    if (found) *seconds = (int64_t)days * 86400 + rest;
    return found;
}

bool presign_tls_certificate_validity(const presign_tls_certificate *certificate, int64_t *begins, int64_t *ends) {
    return seconds_since_1970(X509_get0_notBefore(certificate), begins)
           && seconds_since_1970(X509_get0_notAfter(certificate), ends);
}

int64_t presign_tls_server_certificate_expiry(const presign_tls_context *context) {
    int64_t begins, ends;
    const X509 *certificate = SSL_CTX_get0_certificate(context);
    return certificate && presign_tls_certificate_validity(certificate, &begins, &ends) ? ends : 0;
}

int64_t presign_tls_server_lists_expiry(const presign_tls_context *context) {
    STACK_OF(X509_OBJECT) *objects = X509_STORE_get0_objects(SSL_CTX_get_cert_store(context));
    int64_t first = INT64_MAX, ends;
    for (int index = 0; index < sk_X509_OBJECT_num(objects); index++) {
        X509_CRL *list = X509_OBJECT_get0_X509_CRL(sk_X509_OBJECT_value(objects, index));
        const ASN1_TIME *next = list ? X509_CRL_get0_nextUpdate(list) : NULL;
        if (next && seconds_since_1970(next, &ends) && ends < first) first = ends;
    }
    return first;
}

/// Trusts the system's authorities. OpenSSL's default directory comes with Debian's package `openssl`. Without it, as
/// in a small container, uses the file of the package `ca-certificates`.
static bool trust_system(SSL_CTX *context) {
    static const char bundle[] = "/etc/ssl/certs/ca-certificates.crt";
    struct stat status;
    if (SSL_CTX_set_default_verify_paths(context) != 1) return false;
    bool is_named = getenv(X509_get_default_cert_file_env()) || getenv(X509_get_default_cert_dir_env());
    bool is_there = stat(X509_get_default_cert_file(), &status) == 0 || stat(X509_get_default_cert_dir(), &status) == 0;
    if (is_named || is_there || stat(bundle, &status) != 0) return true;
    return SSL_CTX_load_verify_file(context, bundle) == 1;
}

presign_tls_context *presign_tls_client_create(const char *authorities, bool verifies, presign_tls_reason *reason) {
    SSL_CTX *context = create(TLS_client_method(), reason);
    if (!context) return NULL;
    bool trusts = !verifies
                  || (authorities ? SSL_CTX_load_verify_file(context, authorities) == 1 : trust_system(context));
    // Unlike the other functions, this one returns 0 on success.
    if (trusts && SSL_CTX_set_alpn_protos(context, PROTOCOLS, PROTOCOLS_SIZE) == 0) {
        SSL_CTX_set_verify(context, verifies ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, NULL);
        return context;
    }
    presign_tls_explain(reason, "the CA file contains no certificates in PEM", true);
    SSL_CTX_free(context);
    return NULL;
}
