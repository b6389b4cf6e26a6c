// OpenSSL: libcrypto's headers, wrappers for hashing, and functions that hide libssl.

#ifndef PRESIGN_OPENSSL_H
#define PRESIGN_OPENSSL_H

#include "Hashing.h"
#include "TLS.h"

#endif
