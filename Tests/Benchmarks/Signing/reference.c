// Signs the reference request in optimized C. Usage: reference standing|temporary COUNT|url
//
// The same algorithm as presign's core. Once: derives the signing key as two hash states, formats the parts of the
// query that depend only on day and credentials, and hashes the first block of the string to sign. Per URL: escapes the
// key, formats and hashes the canonical request, hashes the string to sign, and formats the URL. Pads messages in
// place, so that OpenSSL neither copies nor pads.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <arpa/inet.h>
#include <endian.h>
#include <openssl/sha.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char host[] = "media-uploads-prod.s3.eu-west-1.amazonaws.com";
static const char object[] = "users/7f3c9a52/photos/2026/11/holiday snap (1).jpg";
static const char secret[] = "AWS4wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
static const char amzDate[] = "20261121T012233Z";
static const char upperHexDigits[] = "0123456789ABCDEF";
static unsigned char plain[256];

struct signer {
    SHA256_CTX inner, outer;  // after the signing key, and `inner` after the string's first block too
    char head[256], tail[1024], last[192];  // `last` from the string's second block on, with its padding
    size_t headCount, tailCount, hashStart, lastCount;
};

static inline char *append(char *to, const void *from, size_t count) {
    memcpy(to, from, count);
    return to + count;
}

static inline char *appendText(char *to, const char *text) { return append(to, text, strlen(text)); }

static char *appendEscaped(char *to, const char *text, size_t count) {
    for (size_t i = 0; i < count; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (plain[byte]) {
            *to++ = (char)byte;
        } else {
            *to++ = '%';
            *to++ = upperHexDigits[byte >> 4];
            *to++ = upperHexDigits[byte & 15];
        }
    }
    return to;
}

typedef unsigned char vector __attribute__((vector_size(16)));

/// The hexadecimal characters of sixteen digits: letters are 39 above the character after "9".
static inline vector characters(vector digits) { return digits + '0' + (-((digits + 6) >> 4) & 39); }

/// Appends a digest in hexadecimal, 32 digits per iteration.
static char *appendHex(char *to, const unsigned char *digest) {
    for (int i = 0; i < 32; i += 16) {
        vector bytes;
        memcpy(&bytes, digest + i, 16);
        vector high = characters(bytes >> 4), low = characters(bytes & 15);
        vector digits[] = {
            __builtin_shuffle(high, low, (vector){0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23}),
            __builtin_shuffle(high, low, (vector){8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31})};
        memcpy(to + 2 * i, digits, 32);
    }
    return to + 64;
}

static char *appendNumber(char *to, unsigned number) {
    char digits[10];
    size_t count = 0;
    do digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count) *to++ = digits[--count];
    return to;
}

static void keyStates(SHA256_CTX *inner, SHA256_CTX *outer, const void *key, size_t count) {
    unsigned char block[64] = {0};  // keys are at most 64 bytes
    memcpy(block, key, count);
    for (int i = 0; i < 64; i++) block[i] ^= 0x36;
    SHA256_Init(inner);
    SHA256_Update(inner, block, 64);
    for (int i = 0; i < 64; i++) block[i] ^= 0x36 ^ 0x5c;
    SHA256_Init(outer);
    SHA256_Update(outer, block, 64);
}

static void authenticate(const SHA256_CTX *keyed, const SHA256_CTX *keyedOuter, const void *message, size_t count,
                         unsigned char *code) {
    SHA256_CTX inner = *keyed, outer = *keyedOuter;
    SHA256_Update(&inner, message, count);
    SHA256_Final(code, &inner);
    SHA256_Update(&outer, code, 32);
    SHA256_Final(code, &outer);
}

/// Appends the padding of a message after `taken` bytes that were hashed before.
static char *appendPadding(char *message, char *end, size_t taken) {
    size_t count = (size_t)(end - message), padded = (count + 72) / 64 * 64;
    memset(end, 0, padded - count);
    *end = (char)0x80;
    uint64_t bits = htobe64(8 * (taken + count));
    memcpy(message + padded - 8, &bits, 8);
    return message + padded;
}

/// Hashes the padded end of a message and writes the digest.
static void finish(SHA256_CTX state, const void *blocks, size_t count, unsigned char *digest) {
    SHA256_Update(&state, blocks, count);
    for (int i = 0; i < 8; i++) {
        uint32_t word = htonl(state.h[i]);
        memcpy(digest + 4 * i, &word, 4);
    }
}

static void prepare(struct signer *signer, const char *keyID, const char *token) {
    const char *scope[] = {"20261121", "eu-west-1", "s3", "aws4_request"};
    unsigned char key[64];
    size_t count = sizeof secret - 1;
    memcpy(key, secret, count);
    for (int i = 0; i < 4; i++, count = 32) {
        keyStates(&signer->inner, &signer->outer, key, count);
        authenticate(&signer->inner, &signer->outer, scope[i], strlen(scope[i]), key);
    }
    keyStates(&signer->inner, &signer->outer, key, 32);
    char string[256];
    char *end = string + sprintf(string, "AWS4-HMAC-SHA256\n%s\n%s/%s/%s/%s\n", amzDate, scope[0], scope[1], scope[2],
                                 scope[3]);
    SHA256_Update(&signer->inner, string, 64);
    signer->hashStart = (size_t)(end - string) - 64;
    memcpy(signer->last, string + 64, signer->hashStart);
    // The key's block and the first block of the string have been hashed before.
    end = appendPadding(signer->last, signer->last + signer->hashStart + 64, 128);
    signer->lastCount = (size_t)(end - signer->last);
    signer->headCount = (size_t)sprintf(
        signer->head, "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=%s%%2F%s%%2F%s%%2F%s%%2F%s&X-Amz-Date=%s"
        "&X-Amz-Expires=", keyID, scope[0], scope[1], scope[2], scope[3], amzDate);
    char *tail = signer->tail;
    if (token) {
        plain['/'] = 0;
        tail = appendEscaped(appendText(tail, "&X-Amz-Security-Token="), token, strlen(token));
        plain['/'] = 1;
    }
    signer->tailCount = (size_t)(appendText(tail, "&X-Amz-SignedHeaders=host") - signer->tail);
}

/// Writes the URL and returns its length.
static size_t presign(const struct signer *signer, const char *key, size_t keyCount, unsigned expires, char *url) {
    char canonical[2048], string[192];
    unsigned char digest[32];
    char *end = append(canonical, "GET\n/", 5);
    char *path = end - 1;
    end = appendEscaped(end, key, keyCount);
    size_t pathCount = (size_t)(end - path);
    *end++ = '\n';
    char *query = end;
    end = append(end, signer->head, signer->headCount);
    end = appendNumber(end, expires);
    end = append(end, signer->tail, signer->tailCount);
    size_t queryCount = (size_t)(end - query);
    end = append(end, "\nhost:", 6);
    end = append(end, host, sizeof host - 1);
    end = append(end, "\n\nhost\nUNSIGNED-PAYLOAD", 23);
    SHA256_CTX state;
    SHA256_Init(&state);
    finish(state, canonical, (size_t)(appendPadding(canonical, end, 0) - canonical), digest);
    memcpy(string, signer->last, sizeof string);
    appendHex(string + signer->hashStart, digest);
    finish(signer->inner, string, signer->lastCount, digest);
    end = append(string, digest, 32);
    finish(signer->outer, string, (size_t)(appendPadding(string, end, 64) - string), digest);
    char *to = append(url, "https://", 8);
    to = append(to, host, sizeof host - 1);
    to = append(to, path, pathCount);
    *to++ = '?';
    to = append(to, query, queryCount);
    to = appendHex(append(to, "&X-Amz-Signature=", 17), digest);
    return (size_t)(to - url);
}

int main(int argc, char **argv) {
    if (argc != 3) return 64;
    for (int i = 0; i < 256; i++)
        plain[i] = (i >= '0' && i <= '9') || (i >= 'A' && i <= 'Z') || (i >= 'a' && i <= 'z') ||
                   (i && strchr("-._~/", i));
    char token[363] = "";
    for (int i = 0; i < 18; i++) strcat(token, "IQoJb3JpZ2luX2Vj/+AB");
    strcat(token, "==");
    int temporary = !strcmp(argv[1], "temporary");
    struct signer signer;
    prepare(&signer, temporary ? "ASIAIOSFODNN7EXAMPLE" : "AKIAIOSFODNN7EXAMPLE", temporary ? token : NULL);
    char url[2048];
    if (!strcmp(argv[2], "url")) {
        printf("%.*s\n", (int)presign(&signer, object, sizeof object - 1, 900, url), url);
        return 0;
    }
    size_t bytes = 0;
    for (long left = atol(argv[2]); left > 0; left--) {
        bytes += presign(&signer, object, sizeof object - 1, 900, url);
        __asm__ volatile("" : : "r"(url) : "memory");  // prevents the compiler from removing the work
    }
    return bytes == 1;
}
