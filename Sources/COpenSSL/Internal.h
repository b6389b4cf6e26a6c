// What the files of this module share.

#ifndef PRESIGN_TLS_INTERNAL_H
#define PRESIGN_TLS_INTERNAL_H

#include "TLS.h"

#include <openssl/ssl.h>

/// Puts `text` into the reason, and behind it what OpenSSL says first (or last, when `latest`) if it says anything.
/// The thread's queue of errors is empty then.
void presign_tls_explain(presign_tls_reason *reason, const char *text, bool latest);

/// What has come of a client's first messages. OpenSSL reserves as much memory as a ClientHello says it needs, up to
/// 128 KiB, before it comes; so each is refused that says it is longer than any client's.
typedef struct {
    /// The header of the record at hand, and what is missing of the record.
    uint8_t record[5], record_bytes;
    uint16_t record_rest;
    /// Likewise of the message.
    uint8_t message[4], message_bytes;
    /// Nothing that follows is a ClientHello.
    bool has_ended;
    uint32_t message_rest;
} presign_tls_hello;

/// Takes note of what a server's session is about to read; false if that begins a ClientHello that is too long.
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
