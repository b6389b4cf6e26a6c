// Functions shared by the files of this module.

#ifndef PRESIGN_TLS_INTERNAL_H
#define PRESIGN_TLS_INTERNAL_H

#include "TLS.h"

#include <openssl/ssl.h>

/// Sets the reason to `text`, followed by the earliest error in OpenSSL's queue (the latest, if `latest`) if there is
/// one. Clears the queue.
void presign_tls_explain(presign_tls_reason *reason, const char *text, bool latest);

/// The state of parsing a client's first messages. OpenSSL allocates the length that a ClientHello declares, up to
/// 128 KiB, before its bytes arrive, so lengths that real clients do not use are rejected.
typedef struct {
    /// The header of the current record, how many of its bytes have been read, and the bytes of its content to come.
    uint8_t record[5], record_bytes;
    uint16_t record_rest;
    /// The same for the current message.
    uint8_t message[4], message_bytes;
    /// No ClientHello can follow.
    bool has_ended;
    uint32_t message_rest;
} presign_tls_hello;

/// Parses bytes that a server's session is about to read. False if they contain the header of a ClientHello that is too
/// long.
bool presign_tls_hello_accepts(presign_tls_hello *hello, const SSL *session, const uint8_t *bytes, size_t count);

/// Creates the BIO that connects a session to its socket; NULL if out of memory.
BIO *presign_tls_socket(SSL *session, int descriptor);

/// Starts a step. After a limited number of reads in one step, the socket appears to have no more input.
void presign_tls_socket_begin_step(BIO *socket);

/// Whether the peer's first bytes are a HEAD request without TLS.
bool presign_tls_socket_received_head(BIO *socket);

/// Why the handshake must be aborted, as one of OpenSSL's reason codes; 0 if it can continue.
int presign_tls_socket_refusal(BIO *socket);

#endif
