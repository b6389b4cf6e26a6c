#ifndef PRESIGN_CLIENT_CERTIFICATE_H
#define PRESIGN_CLIENT_CERTIFICATE_H

#include <stdbool.h>

struct ssl_st;

/// Lets a client's session present a certificate: paths of PEM files. Returns false if they cannot be used.
bool presign_test_use_certificate(
    struct ssl_st *_Nonnull session, const char *_Nonnull certificate, const char *_Nonnull key);

#endif
