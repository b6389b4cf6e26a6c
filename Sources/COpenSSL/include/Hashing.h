#ifndef PRESIGN_HASHING_H
#define PRESIGN_HASHING_H

// The low-level SHA-256 functions are deprecated since OpenSSL 3.0 but still supported. Their state is a plain struct
// without allocation or provider lookup, so a message of a few hundred bytes costs a fifth of the EVP functions. The
// wrappers below keep the deprecation warnings inside this header.
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/md5.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <stdbool.h>
#include <stdint.h>

static inline SHA256_CTX presign_sha256_start(void) {
    SHA256_CTX context = {0};
    (void)SHA256_Init(&context);
    return context;
}

static inline void presign_sha256_update(SHA256_CTX *context, const void *bytes, size_t count) {
    (void)SHA256_Update(context, bytes, count);
}

static inline void presign_sha256_final(unsigned char *digest, SHA256_CTX *context) {
    (void)SHA256_Final(digest, context);
}

static inline void presign_sha256(unsigned char *digest, const void *bytes, size_t count) {
    SHA256_CTX context;
    (void)SHA256_Init(&context);
    (void)SHA256_Update(&context, bytes, count);
    (void)SHA256_Final(digest, &context);
}

/// The state of MD5 or SHA-1.
typedef struct {
    bool is_sha1;
    union {
        MD5_CTX md5;
        SHA_CTX sha1;
    } context;
} presign_insecure_hash;

static inline presign_insecure_hash presign_insecure_hash_start(bool is_sha1) {
    presign_insecure_hash hash = {.is_sha1 = is_sha1};
    (void)(is_sha1 ? SHA1_Init(&hash.context.sha1) : MD5_Init(&hash.context.md5));
    return hash;
}

static inline void presign_insecure_hash_update(presign_insecure_hash *hash, const void *bytes, size_t count) {
    (void)(hash->is_sha1 ? SHA1_Update(&hash->context.sha1, bytes, count)
                         : MD5_Update(&hash->context.md5, bytes, count));
}

static inline void presign_insecure_hash_finish(unsigned char *digest, presign_insecure_hash *hash) {
    (void)(hash->is_sha1 ? SHA1_Final(digest, &hash->context.sha1) : MD5_Final(digest, &hash->context.md5));
}

#endif
