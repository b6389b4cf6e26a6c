internal import COpenSSL

/// The TLS settings of a server: its certificate and key, and how clients are verified. Immutable.
///
/// Supports TLS 1.3, and TLS 1.2 with forward secrecy and authenticated encryption. The only protocol is HTTP/1.1
/// (RFC 7301). Sessions can be resumed with tickets, whose keys never leave the process.
package final class ServerTLS: Sendable {
    /// The certificates that clients must present.
    package struct Clients: Sendable {
        /// The certificates of the accepted authorities, PEM.
        package var authorities: [UInt8]
        /// Revocation lists of the authorities, PEM; empty for none. If there is one, each authority in a client's
        /// chain must have a current one, or the client is rejected.
        package var revocationLists: [UInt8]
        /// Whether clients without a certificate are rejected.
        package var isRequired: Bool

        package init(authorities: [UInt8], revocationLists: [UInt8] = [], isRequired: Bool = false) {
            (self.authorities, self.revocationLists, self.isRequired) = (authorities, revocationLists, isRequired)
        }
    }

    package let context: TLSContext
    /// The time at which the server's certificate expires, in seconds since 1970.
    package let ends: Int64
    /// The time at which the first revocation list expires, in seconds since 1970; nil without any.
    package let revocationListsEnd: Int64?

    /// - Parameters:
    ///   - chain: the server's certificate and the intermediate certificates, PEM.
    ///   - key: the private key without a passphrase, PEM.
    ///   - clients: nil to not request certificates from clients.
    /// - Throws: the reason why they cannot be used.
    package init(chain: [UInt8], key: [UInt8], clients: Clients? = nil) throws(TLSFailure) {
        // unsafe: the call returns a new context with one reference, and reads the bytes only inside the closures, with
        // the spans' counts.
        context = try unsafe TLSContext { reason in
            let (chain, key) = (chain.span, key.span)
            return unsafe chain.withUnsafeBufferPointer { chain in
                unsafe key.withUnsafeBufferPointer { key in
                    unsafe presign_tls_server_create(
                        chain.baseAddress, chain.count, key.baseAddress, key.count, &reason)
                }
            }
        }
        if let clients { try context.accept(clients) }
        // unsafe: this object keeps the context alive. Other threads must not use it yet: these calls read the
        // certificate store without the lock that OpenSSL takes when it sorts the store to verify a certificate.
        ends = unsafe presign_tls_server_certificate_expiry(context.pointer)
        let end = unsafe presign_tls_server_lists_expiry(context.pointer)
        revocationListsEnd = end == .max ? nil : end
    }

    /// Creates a session over a connection.
    ///
    /// - Returns: nil if memory is exhausted.
    package func session(over socket: Socket) -> TLSSession? {
        TLSSession(context, over: socket, isServer: true)
    }
}

extension TLSContext {
    fileprivate func accept(_ clients: ServerTLS.Clients) throws(TLSFailure) {
        var reason = presign_tls_reason()
        let (authorities, lists) = (clients.authorities.span, clients.revocationLists.span)
        // unsafe: the call reads the bytes only inside the closures, with the spans' counts.
        let accepted = unsafe authorities.withUnsafeBufferPointer { authorities in
            unsafe lists.withUnsafeBufferPointer { lists in
                unsafe presign_tls_server_accept_clients(
                    pointer, authorities.baseAddress, authorities.count, lists.baseAddress, lists.count,
                    clients.isRequired, &reason)
            }
        }
        guard accepted else { throw TLSFailure(reason) }
    }
}
