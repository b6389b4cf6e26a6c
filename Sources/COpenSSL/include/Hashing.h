#ifndef PRESIGN_HASHING_H
#define PRESIGN_HASHING_H

// The low-level SHA-256 functions are deprecated since OpenSSL 3.0, and kept by it. They are used here because
// their state is a plain struct: it copies as a value, needs no allocation and no provider look-up, and so costs
// a fifth of the EVP one-shot functions on messages of a few hundred bytes. The wrappers below keep the
// deprecation inside this header.
#define OPENSSL_SUPPRESS_DEPRECATED

#include <arpa/inet.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/md5.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <stdint.h>
#include <string.h>

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

// The digest after whole blocks that end a message, padding and all: SHA256_Final without the padding.
static inline void presign_sha256_end(
    unsigned char *digest, const SHA256_CTX *before, const void *blocks, size_t count) {
    SHA256_CTX context;
    memcpy(context.h, before->h, sizeof context.h);
    if (count == SHA256_CBLOCK) {
        // Most messages end in one block, for which the other call has more to do around it.
        SHA256_Transform(&context, (const unsigned char *)blocks);
    } else {
        context.num = 0;
        context.Nl = context.Nh = 0;
        (void)SHA256_Update(&context, blocks, count);
    }
    uint32_t words[8];
    for (int index = 0; index < 8; index++) words[index] = htonl(context.h[index]);
    memcpy(digest, words, sizeof words);
}

static inline void presign_md5_init(MD5_CTX *context) {
    (void)MD5_Init(context);
}

static inline void presign_md5_update(MD5_CTX *context, const void *bytes, size_t count) {
    (void)MD5_Update(context, bytes, count);
}

static inline void presign_md5_final(unsigned char *digest, MD5_CTX *context) {
    (void)MD5_Final(digest, context);
}

static inline void presign_sha1_init(SHA_CTX *context) {
    (void)SHA1_Init(context);
}

static inline void presign_sha1_update(SHA_CTX *context, const void *bytes, size_t count) {
    (void)SHA1_Update(context, bytes, count);
}

static inline void presign_sha1_final(unsigned char *digest, SHA_CTX *context) {
    (void)SHA1_Final(digest, context);
}

#endif
