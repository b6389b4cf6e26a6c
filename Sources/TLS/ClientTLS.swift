internal import COpenSSL
import Text

/// A client's side of TLS 1.2 and 1.3: whom it trusts. Immutable.
package final class ClientTLS: Sendable {
    /// Whom a client trusts.
    package enum Trust: Sendable, Equatable {
        /// The system's authorities; `SSL_CERT_FILE` and `SSL_CERT_DIR` name others.
        case system
        /// Those of a PEM file.
        case file(String)
        /// Everybody. For asking a server on this machine whether it is up, where nothing secret is said.
        case anyone
    }

    private let context: TLSContext

    /// - Throws: when the file cannot be read, or holds no authorities.
    package init(trusting trust: Trust) throws(TLSFailure) {
        // unsafe: what the call makes is its one reference; the path is read by the call alone.
        context = try unsafe TLSContext { reason in
            switch trust {
            case .system: unsafe presign_tls_client_create(nil, true, &reason)
            case .file(let path): unsafe presign_tls_client_create(path, true, &reason)
            case .anyone: unsafe presign_tls_client_create(nil, false, &reason)
            }
        }
    }

    /// One connection's side; `exchange` uses it, too.
    ///
    /// - Parameters:
    ///   - host: whose certificate is wanted: a DNS name, which is also sent (RFC 6066 section 3), or the text of an IP
    ///     address, without brackets.
    ///   - descriptor: a connected, non-blocking socket, which must stay open as long as the session is used.
    /// - Throws: for a host that is none, and without memory.
    package func session(with host: String, over descriptor: Int32) throws(TLSFailure) -> TLSSession {
        // C would take a NUL for the end.
        guard !host.isEmpty, !host.utf8.contains(0) else { throw TLSFailure("the host's name is none") }
        guard let session = TLSSession(context, over: descriptor, isServer: false),
            session.expect(host, isAddress: Self.isAddress(host))
        else { throw TLSFailure("no session could be made for the host") }
        return session
    }

    /// No DNS name ends with a label of digits alone (RFC 1123 section 2.1), or has a colon.
    private static func isAddress(_ host: String) -> Bool {
        let last = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last ?? ""[...].utf8
        return host.utf8.contains(UInt8(ascii: ":"))
            || (!last.isEmpty && last.allSatisfy(ASCII.isDigit))
    }
}
