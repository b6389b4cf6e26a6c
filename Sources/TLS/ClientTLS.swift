internal import COpenSSL
import Text

/// The TLS 1.2 and 1.3 settings of a client. Immutable.
package final class ClientTLS: Sendable {
    /// The certificate authorities that a client trusts.
    package enum Trust: Sendable, Equatable {
        /// The system's authorities, or those that `SSL_CERT_FILE` and `SSL_CERT_DIR` point to.
        case system
        /// The authorities in a PEM file.
        case file(String)
        /// No verification: any server is accepted. Only for a health check on this machine, which sends no secrets.
        case anyone
    }

    private let context: TLSContext

    /// - Throws: if the file cannot be read or contains no authorities.
    package init(trusting trust: Trust) throws(TLSFailure) {
        // unsafe: each call returns a new context with one reference, and reads the path only during the call.
        context = try unsafe TLSContext { reason in
            switch trust {
            case .system: unsafe presign_tls_client_create(nil, true, &reason)
            case .file(let path): unsafe presign_tls_client_create(path, true, &reason)
            case .anyone: unsafe presign_tls_client_create(nil, false, &reason)
            }
        }
    }

    /// Creates a session over a connection.
    ///
    /// - Parameters:
    ///   - host: the host that the server's certificate must be for: a DNS name, which is also sent (RFC 6066 section
    ///     3), or the text of an IP address without brackets.
    ///   - descriptor: a connected, non-blocking socket, which must stay open while the session is used.
    /// - Throws: if the host is not valid or memory is exhausted.
    package func session(with host: String, over descriptor: Int32) throws(TLSFailure) -> TLSSession {
        // A C string would end at a NUL.
        guard !host.isEmpty, !host.utf8.contains(0) else {
            throw TLSFailure("the host name is empty or contains a NUL")
        }
        guard let session = TLSSession(context, over: descriptor, isServer: false),
            session.expect(host, isAddress: Self.isAddress(host))
        else { throw TLSFailure("the session could not be created") }
        return session
    }

    /// Whether the host is an IP address. A DNS name does not contain a colon, and its last label is not a number (RFC
    /// 1123 section 2.1).
    private static func isAddress(_ host: String) -> Bool {
        let last = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last ?? ""[...].utf8
        return host.utf8.contains(UInt8(ascii: ":"))
            || (!last.isEmpty && last.allSatisfy(ASCII.isDigit))
    }
}
