internal import COpenSSL

/// A server's side of TLS: its certificate and key, and whom it asks for one. Immutable.
///
/// It speaks TLS 1.2 and 1.3, and of 1.2 only what has forward secrecy and authenticated encryption; HTTP/1.1 is the one
/// protocol it agrees on (RFC 7301). Sessions are resumed by tickets whose keys are its own and never leave the process.
package final class ServerTLS: Sendable {
    /// Whose certificates are accepted from clients.
    package struct Clients: Sendable {
        /// Certificates of authorities, PEM.
        package var authorities: [UInt8]
        /// Their revocation lists, PEM; empty for none. With one, every authority between a client and the end of its
        /// chain must have one that is in force, or the client is refused.
        package var revocationLists: [UInt8]
        /// True: a client without a certificate is refused.
        package var isRequired: Bool

        /// - Parameters:
        ///   - authorities: certificates of authorities, PEM
        ///   - revocationLists: their revocation lists, PEM
        ///   - isRequired: whether a client must have a certificate
        package init(authorities: [UInt8], revocationLists: [UInt8] = [], isRequired: Bool = false) {
            (self.authorities, self.revocationLists, self.isRequired) = (authorities, revocationLists, isRequired)
        }
    }

    package let context: TLSContext
    /// The time from which its certificate is no longer valid, in seconds since 1970.
    package let ends: Int64
    /// The time from which a revocation list is no longer in force, the first of several, in seconds since 1970; nil
    /// without any.
    package let revocationListsEnd: Int64?

    /// - Parameters:
    ///   - chain: the server's certificate and those that lead to its authority, PEM.
    ///   - key: its private key without a passphrase, PEM.
    ///   - clients: nil: clients are not asked for certificates.
    /// - Throws: why they cannot be used.
    package init(chain: [UInt8], key: [UInt8], clients: Clients? = nil) throws(TLSFailure) {
        // unsafe: what the call makes is its one reference; the bytes are read inside the closures only, as many as the
        // spans have.
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
        // unsafe: the context lives as long as this value. It is asked now, while nobody else has it: OpenSSL sorts what it
        // holds behind a lock of its own when a certificate is verified, and these look at it without.
        ends = unsafe presign_tls_server_ends(context.pointer)
        let end = unsafe presign_tls_server_lists_end(context.pointer)
        revocationListsEnd = end == .max ? nil : end
    }

    /// One connection's side.
    ///
    /// - Parameter descriptor: a connected, non-blocking socket, which must stay open as long as the session is used.
    /// - Returns: nil when there is no memory for it.
    package func session(over descriptor: Int32) -> TLSSession? {
        TLSSession(context, over: descriptor, isServer: true)
    }
}

extension TLSContext {
    fileprivate func accept(_ clients: ServerTLS.Clients) throws(TLSFailure) {
        var reason = presign_tls_reason()
        let (authorities, lists) = (clients.authorities.span, clients.revocationLists.span)
        // unsafe: as for the chain.
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
