// OpenSSL: libcrypto's headers with shims for hashing, and TLS behind functions of our own.

#ifndef PRESIGN_OPENSSL_H
#define PRESIGN_OPENSSL_H

#include "Hashing.h"
#include "TLS.h"

#endif
