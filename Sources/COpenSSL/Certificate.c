// Peer certificates: names, fingerprint, and verification against other settings.

#include "Internal.h"

#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <string.h>

presign_tls_certificate *presign_tls_peer_certificate(const presign_tls_session *session) {
    return SSL_get1_peer_certificate(session);
}

void presign_tls_certificate_free(presign_tls_certificate *certificate) { X509_free(certificate); }

bool presign_tls_certificate_fingerprint(const presign_tls_certificate *certificate, uint8_t fingerprint[32]) {
    return X509_digest(certificate, EVP_sha256(), fingerprint, NULL) == 1;
}

static int type_of(int kind) {
    switch (kind) {
    case PRESIGN_TLS_NAME_URI: return GEN_URI;
    case PRESIGN_TLS_NAME_DNS: return GEN_DNS;
    default: return GEN_EMAIL;
    }
}

int presign_tls_certificate_name(
    const presign_tls_certificate *certificate, int kind, uint8_t *name, size_t capacity, size_t *size) {
    int critical = -1, count = 0;
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, &critical, NULL);
    ERR_clear_error();
    // -1 means that the certificate does not have the extension; otherwise it is malformed or occurs twice.
    if (!names) return critical == -1 ? 0 : -1;
    const ASN1_IA5STRING *found = NULL;
    for (int index = 0; index < sk_GENERAL_NAME_num(names); index++) {
        const GENERAL_NAME *candidate = sk_GENERAL_NAME_value(names, index);
        if (candidate->type != type_of(kind)) continue;
        // All three kinds are IA5Strings.
        found = candidate->d.ia5;
        count++;
    }
    if (count == 1) {
        int length = ASN1_STRING_length(found);
        if (length >= 0 && (size_t)length <= capacity) {
            memcpy(name, ASN1_STRING_get0_data(found), (size_t)length);
            *size = (size_t)length;
        } else {
            count = -1;
        }
    }
    GENERAL_NAMES_free(names);
    return count;
}

bool presign_tls_session_is_accepted(
    const presign_tls_session *session, presign_tls_context *context, presign_tls_reason *reason) {
    ERR_clear_error();
    X509 *certificate = SSL_get1_peer_certificate(session);
    if (!certificate) {
        bool required = SSL_CTX_get_verify_mode(context) & SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
        if (required) presign_tls_explain(reason, "peer did not return a certificate", false);
        return !required;
    }
    X509_STORE_CTX *verification = X509_STORE_CTX_new();
    bool accepted = verification
                    && X509_STORE_CTX_init(
                           verification, SSL_CTX_get_cert_store(context), certificate, SSL_get_peer_cert_chain(session))
                           == 1
                    && X509_STORE_CTX_set_default(verification, "ssl_client") == 1
                    && X509_verify_cert(verification) == 1;
    if (!accepted) {
        ERR_clear_error();
        int error = verification ? X509_STORE_CTX_get_error(verification) : X509_V_ERR_OUT_OF_MEM;
        presign_tls_explain(reason, X509_verify_cert_error_string(error), false);
    }
    X509_STORE_CTX_free(verification);
    X509_free(certificate);
    return accepted;
}
