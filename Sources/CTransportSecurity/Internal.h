// What the files of this module share.

#ifndef CTRANSPORTSECURITY_INTERNAL_H
#define CTRANSPORTSECURITY_INTERNAL_H

#include "CTransportSecurity.h"

#include <openssl/ssl.h>

/// Puts `text` into the reason, and behind it what OpenSSL says first (or last, when `latest`) if it says anything.
/// The thread's queue of errors is empty then.
void transport_explain(transport_reason *reason, const char *text, bool latest);

/// What connects a session to its socket; null without memory.
BIO *transport_socket(int descriptor);

/// A step begins, which may read a number of times. Then it has to wait for the socket, as if nothing more had come.
void transport_socket_begin_step(BIO *socket);

/// Whether the first that was read began a HEAD request without TLS.
bool transport_socket_met_head(BIO *socket);

/// Whether the socket was read more often than any handshake needs.
bool transport_socket_is_crumbled(BIO *socket);

#endif
