// What the files of this module share.

#ifndef PRESIGN_TLS_INTERNAL_H
#define PRESIGN_TLS_INTERNAL_H

#include "TLS.h"

#include <openssl/ssl.h>

/// Puts `text` into the reason, and behind it what OpenSSL says first (or last, when `latest`) if it says anything.
/// The thread's queue of errors is empty then.
void presign_tls_explain(presign_tls_reason *reason, const char *text, bool latest);

/// How far a client's first messages have been read. OpenSSL allocates the length that a ClientHello declares, up to
/// 128 KiB, before its bytes arrive, so lengths beyond those of real clients are refused.
typedef struct {
    /// The header of the current record, and how many of its bytes are still to come.
    uint8_t record[5], record_bytes;
    uint16_t record_rest;
    /// The same for the current message.
    uint8_t message[4], message_bytes;
    /// Nothing that follows is a ClientHello.
    bool has_ended;
    uint32_t message_rest;
} presign_tls_hello;

/// Follows bytes that a server's session is about to read; false if they begin a ClientHello that is too long.
bool presign_tls_hello_accepts(presign_tls_hello *hello, const SSL *session, const uint8_t *bytes, size_t count);

/// What connects a session to its socket; null without memory.
BIO *presign_tls_socket(SSL *session, int descriptor);

/// A step begins, which may read a number of times. Then it has to wait for the socket, as if nothing more had come.
void presign_tls_socket_begin_step(BIO *socket);

/// Whether the first that was read began a HEAD request without TLS.
bool presign_tls_socket_met_head(BIO *socket);

/// Why the handshake cannot go on, as one of OpenSSL's reasons; 0 if it can.
int presign_tls_socket_refusal(BIO *socket);

#endif
