#ifndef PRESIGN_TLS_H
#define PRESIGN_TLS_H

// TLS by OpenSSL's libssl, as far as the service needs it. OpenSSL's headers stay behind these functions: half of what
// they offer are macros, and the rest are pointers whose lifetimes only its manual tells.
//
// A context is made once and then only read, by any number of threads. A session belongs to one thread at a time.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ssl_ctx_st presign_tls_context;
typedef struct ssl_st presign_tls_session;
typedef struct x509_st presign_tls_certificate;

/// Why something failed: one line without a line end, and never a secret.
typedef struct {
    char text[192];
} presign_tls_reason;

/// A server's context. `chain` is PEM: the server's certificate, then those that lead to its authority; `key` is PEM
/// without a passphrase. Null with the reason when they cannot be used, or do not belong together.
presign_tls_context *_Nullable presign_tls_server_create(
    const uint8_t *_Nullable chain, size_t chain_size, const uint8_t *_Nullable key, size_t key_size,
    presign_tls_reason *_Nonnull reason);

/// Asks clients for a certificate of one of these authorities (PEM), and refuses a connection without one if it is
/// `required`. With `lists_size` > 0 (PEM) each authority of a client's chain must have a revocation list in force
/// there that does not name the certificate. False with the reason when they cannot be used.
bool presign_tls_server_accept_clients(
    presign_tls_context *_Nonnull context, const uint8_t *_Nullable authorities, size_t authorities_size,
    const uint8_t *_Nullable lists, size_t lists_size, bool required, presign_tls_reason *_Nonnull reason);

/// The time from which the server's certificate is no longer valid, in seconds since 1970.
int64_t presign_tls_server_ends(const presign_tls_context *_Nonnull context);

/// Like it, of the revocation list that ends first; INT64_MAX without any.
int64_t presign_tls_server_lists_end(const presign_tls_context *_Nonnull context);

/// A client's context. It trusts the authorities of the file, or with null those of the system. Without `verifies` it
/// trusts everybody.
presign_tls_context *_Nullable presign_tls_client_create(
    const char *_Nullable authorities, bool verifies, presign_tls_reason *_Nonnull reason);

void presign_tls_context_free(presign_tls_context *_Nonnull context);

/// A session over a connected, non-blocking socket, which stays the caller's; the context may be freed before it.
presign_tls_session *_Nullable presign_tls_session_create(
    presign_tls_context *_Nonnull context, int descriptor, bool is_server);

/// Whose certificate a client wants to see: a DNS name, which is also sent, or the text of an IP address.
bool presign_tls_session_expect(presign_tls_session *_Nonnull session, const char *_Nonnull host, bool is_address);

void presign_tls_session_free(presign_tls_session *_Nonnull session);

/// What a step comes to, when not a count of bytes.
enum {
    /// The peer said that it sends no more.
    TRANSPORT_CLOSED = 0,
    /// Again, when the socket is readable.
    TRANSPORT_WANTS_READ = -1,
    /// Again, when the socket is writable; a write then with the same bytes first.
    TRANSPORT_WANTS_WRITE = -2,
    /// Nothing can be done with the session any more; see `presign_tls_session_reason`.
    TRANSPORT_FAILED = -3,
    /// It failed: a server's peer does not speak TLS, but HTTP.
    TRANSPORT_IS_HTTP = -4,
    /// It failed: the connection ended, without the peer having said that it would.
    TRANSPORT_CUT = -5,
};

/// 1 when the handshake is done.
int presign_tls_session_handshake(presign_tls_session *_Nonnull session);
/// After TRANSPORT_IS_HTTP: whether the request is HEAD.
bool presign_tls_session_met_head(const presign_tls_session *_Nonnull session);
/// At least 1 byte; at most one record's.
ptrdiff_t presign_tls_session_read(presign_tls_session *_Nonnull session, void *_Nonnull bytes, size_t count);
/// At least 1 of the `count` > 0 bytes; at most one record's.
ptrdiff_t presign_tls_session_write(presign_tls_session *_Nonnull session, const void *_Nonnull bytes, size_t count);
/// Tells the peer that no more is sent: 1 when that is on its way.
int presign_tls_session_shutdown(presign_tls_session *_Nonnull session);

/// Whether bytes of a record have been received that were not given yet.
bool presign_tls_session_is_within_record(const presign_tls_session *_Nonnull session);

/// Why the step on this session that the thread took just now has failed.
void presign_tls_session_reason(const presign_tls_session *_Nonnull session, presign_tls_reason *_Nonnull reason);

/// `TLSv1.3` or `TLSv1.2`.
const char *_Nonnull presign_tls_session_version(const presign_tls_session *_Nonnull session);
/// Whether the handshake went on from an earlier session.
bool presign_tls_session_is_resumed(const presign_tls_session *_Nonnull session);
/// Writes the protocol that was agreed on, at most 255 bytes; its length, 0 without one.
size_t presign_tls_session_protocol(const presign_tls_session *_Nonnull session, uint8_t protocol[_Nonnull 255]);

/// The kinds of names that a certificate gives its subject besides (RFC 5280 section 4.2.1.6).
enum { TRANSPORT_NAME_URI, TRANSPORT_NAME_DNS, TRANSPORT_NAME_EMAIL };

/// The peer's certificate, which the handshake has verified; null when it has shown none. It must be freed.
presign_tls_certificate *_Nullable presign_tls_peer_certificate(const presign_tls_session *_Nonnull session);
void presign_tls_certificate_free(presign_tls_certificate *_Nonnull certificate);

/// How many subject alternative names of the kind it has; -1 when they cannot be read. Exactly one is written, if it has
/// at most `capacity` bytes, and its length put into `size`.
int presign_tls_certificate_name(
    const presign_tls_certificate *_Nonnull certificate, int kind, uint8_t *_Nonnull name, size_t capacity,
    size_t *_Nonnull size);
/// SHA-256 of its DER.
bool presign_tls_certificate_fingerprint(
    const presign_tls_certificate *_Nonnull certificate, uint8_t fingerprint[_Nonnull 32]);
/// From when until before when it is valid, in seconds since 1970.
bool presign_tls_certificate_validity(
    const presign_tls_certificate *_Nonnull certificate, int64_t *_Nonnull begins, int64_t *_Nonnull ends);

/// Whether this context would accept the client of an established session: its certificate, or its lack of one.
bool presign_tls_session_is_accepted(
    const presign_tls_session *_Nonnull session, presign_tls_context *_Nonnull context, presign_tls_reason *_Nonnull reason);

/// Waits until the descriptor is readable or writable, or broken: 1, 0 after the milliseconds, or a negated errno.
int presign_tls_wait(int descriptor, bool for_writing, int milliseconds);

#endif
