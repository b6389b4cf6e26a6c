#include "ClientCertificate.h"

#include <openssl/ssl.h>

bool presign_test_use_certificate(struct ssl_st *session, const char *certificate, const char *key) {
    return SSL_use_certificate_file(session, certificate, SSL_FILETYPE_PEM) == 1
           && SSL_use_PrivateKey_file(session, key, SSL_FILETYPE_PEM) == 1;
}
