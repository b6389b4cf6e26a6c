#ifndef PRESIGN_TLS_H
#define PRESIGN_TLS_H

// The parts of OpenSSL's libssl that the service needs. These functions hide its headers, which Swift cannot use
// safely: half of the interface are macros, the rest are pointers whose lifetimes are documented only in the manual.
//
// A context is created once and then only read, by any number of threads. A session belongs to one thread at a time.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ssl_ctx_st presign_tls_context;
typedef struct ssl_st presign_tls_session;
typedef struct x509_st presign_tls_certificate;

/// The reason of a failure: one line without a line end. Never contains a secret.
typedef struct {
    char text[192];
} presign_tls_reason;

/// Creates a server's context. `chain` is PEM: the server's certificate, then the intermediate certificates. `key` is
/// PEM without a passphrase. Returns null and sets the reason if they cannot be used or do not belong together.
presign_tls_context *_Nullable presign_tls_server_create(
    const uint8_t *_Nullable chain, size_t chain_size, const uint8_t *_Nullable key, size_t key_size,
    presign_tls_reason *_Nonnull reason);

/// Requests a certificate of one of these authorities (PEM) from clients, and rejects connections without one if
/// `required`. With `lists_size` > 0, `lists` (PEM) must contain a current revocation list for each authority in a
/// client's chain, and must not list the chain's certificates. Returns false and sets the reason if they cannot be
/// used.
bool presign_tls_server_accept_clients(
    presign_tls_context *_Nonnull context, const uint8_t *_Nullable authorities, size_t authorities_size,
    const uint8_t *_Nullable lists, size_t lists_size, bool required, presign_tls_reason *_Nonnull reason);

/// Returns the time at which the server's certificate expires, in seconds since 1970; 0 if it cannot be read.
int64_t presign_tls_server_certificate_expiry(const presign_tls_context *_Nonnull context);

/// Returns the time at which the first of the revocation lists expires, in seconds since 1970; INT64_MAX without any.
int64_t presign_tls_server_lists_expiry(const presign_tls_context *_Nonnull context);

/// Creates a client's context. It trusts the authorities in a PEM file, or the system's if `authorities` is null.
/// Without `verifies`, it accepts any server.
presign_tls_context *_Nullable presign_tls_client_create(
    const char *_Nullable authorities, bool verifies, presign_tls_reason *_Nonnull reason);

void presign_tls_context_free(presign_tls_context *_Nonnull context);

/// Creates a session over a connected, non-blocking socket, which the caller closes. The session may outlive the
/// context.
presign_tls_session *_Nullable presign_tls_session_create(
    presign_tls_context *_Nonnull context, int descriptor, bool is_server);

/// Sets the host that the server's certificate must be for: a DNS name, which is also sent, or the text of an IP
/// address.
bool presign_tls_session_expect(presign_tls_session *_Nonnull session, const char *_Nonnull host, bool is_address);

void presign_tls_session_free(presign_tls_session *_Nonnull session);

/// The results of a step other than a positive count.
enum {
    /// The peer ended its output with a close_notify alert.
    PRESIGN_TLS_CLOSED = 0,
    /// Retry when the socket is readable.
    PRESIGN_TLS_WANTS_READ = -1,
    /// Retry when the socket is writable. A write must start with the same bytes.
    PRESIGN_TLS_WANTS_WRITE = -2,
    /// The session failed and cannot be used; see `presign_tls_session_reason`.
    PRESIGN_TLS_FAILED = -3,
    /// The session failed, because the client sent plain HTTP.
    PRESIGN_TLS_IS_HTTP = -4,
    /// The session failed, because the connection ended without a close_notify alert.
    PRESIGN_TLS_CUT = -5,
};

/// Continues the handshake; returns 1 when it is complete.
int presign_tls_session_handshake(presign_tls_session *_Nonnull session);
/// After PRESIGN_TLS_IS_HTTP: whether the request is HEAD.
bool presign_tls_session_received_head(const presign_tls_session *_Nonnull session);
/// Returns the number of bytes read, at most one record.
ptrdiff_t presign_tls_session_read(presign_tls_session *_Nonnull session, void *_Nonnull bytes, size_t count);
/// Returns the number of bytes written, at most one record. `count` must not be 0.
ptrdiff_t presign_tls_session_write(presign_tls_session *_Nonnull session, const void *_Nonnull bytes, size_t count);
/// Sends a close_notify alert; returns 1 when it is sent.
int presign_tls_session_shutdown(presign_tls_session *_Nonnull session);

/// Whether part of a record has been received but not yet returned by a read.
bool presign_tls_session_is_within_record(const presign_tls_session *_Nonnull session);

/// Sets the reason why the last step failed. Call this on the same thread, before any other step.
void presign_tls_session_reason(const presign_tls_session *_Nonnull session, presign_tls_reason *_Nonnull reason);

/// `TLSv1.3` or `TLSv1.2`.
const char *_Nonnull presign_tls_session_version(const presign_tls_session *_Nonnull session);
/// Whether the handshake resumed an earlier session.
bool presign_tls_session_is_resumed(const presign_tls_session *_Nonnull session);
/// Writes the negotiated protocol (ALPN), at most 255 bytes. Returns its length; 0 without one.
size_t presign_tls_session_protocol(const presign_tls_session *_Nonnull session, uint8_t protocol[_Nonnull 255]);

/// Kinds of subject alternative names (RFC 5280 section 4.2.1.6).
enum { PRESIGN_TLS_NAME_URI, PRESIGN_TLS_NAME_DNS, PRESIGN_TLS_NAME_EMAIL };

/// Returns the peer's certificate, verified by the handshake; null if the peer sent none. The caller frees it.
presign_tls_certificate *_Nullable presign_tls_peer_certificate(const presign_tls_session *_Nonnull session);
void presign_tls_certificate_free(presign_tls_certificate *_Nonnull certificate);

/// Returns the number of subject alternative names of a kind; -1 if they cannot be read, or the only one has more than
/// `capacity` bytes. If there is exactly one, writes it to `name` and its length to `size`.
int presign_tls_certificate_name(
    const presign_tls_certificate *_Nonnull certificate, int kind, uint8_t *_Nonnull name, size_t capacity,
    size_t *_Nonnull size);
/// Writes the SHA-256 of the certificate's DER.
bool presign_tls_certificate_fingerprint(
    const presign_tls_certificate *_Nonnull certificate, uint8_t fingerprint[_Nonnull 32]);
/// Writes the start and the end of the certificate's validity, in seconds since 1970.
bool presign_tls_certificate_validity(
    const presign_tls_certificate *_Nonnull certificate, int64_t *_Nonnull begins, int64_t *_Nonnull ends);

/// Whether this context would accept the client of an established session, with or without a certificate.
bool presign_tls_session_is_accepted(
    const presign_tls_session *_Nonnull session, presign_tls_context *_Nonnull context,
    presign_tls_reason *_Nonnull reason);

#endif
