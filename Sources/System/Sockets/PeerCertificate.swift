internal import COpenSSL
import Text

/// The names and the validity of a verified certificate.
package final class PeerCertificate: Sendable {
    /// A kind of subject alternative name (RFC 5280 section 4.2.1.6).
    package enum NameKind: Sendable, CaseIterable {
        case uri, dns, email
    }

    /// The names of one kind.
    package enum Name: Sendable, Equatable {
        case none
        /// The only name, in visible ASCII.
        case one([UInt8])
        case several
        /// The only name contains other characters, such as a NUL, or has more than 2048 bytes, or the names cannot be
        /// read.
        case unusable
    }

    /// The most bytes of a name: the limit of SPIFFE IDs, which are the longest names in use.
    package static let longestName = 2048

    private let uri, dns, email: Name
    /// The validity in seconds since 1970; empty if it cannot be read.
    package let validity: Range<Int64>

    /// Returns the names of a kind.
    package func name(_ kind: NameKind) -> Name {
        switch kind {
        case .uri: uri
        case .dns: dns
        case .email: email
        }
    }

    /// Creates a certificate from its parts, for tests.
    package init(names: [NameKind: Name], validity: Range<Int64>) {
        (uri, dns, email) = (names[.uri] ?? .none, names[.dns] ?? .none, names[.email] ?? .none)
        self.validity = validity
    }

    @unsafe
    package init(_ certificate: OpaquePointer) {
        // unsafe: the caller keeps the certificate alive, and the calls write only to local variables.
        unsafe (uri, dns, email) = (
            Self.name(certificate, PRESIGN_TLS_NAME_URI), Self.name(certificate, PRESIGN_TLS_NAME_DNS),
            Self.name(certificate, PRESIGN_TLS_NAME_EMAIL)
        )
        var (begins, ends) = (Int64(0), Int64(0))
        let isRead = unsafe presign_tls_certificate_validity(certificate, &begins, &ends)
        validity = isRead && begins < ends ? begins..<ends : 0..<0
    }

    @unsafe
    private static func name(_ certificate: OpaquePointer, _ kind: some BinaryInteger) -> Name {
        var count: Int32 = 0
        // unsafe: the caller keeps the certificate alive, and the call writes at most `count` bytes to the buffer.
        let name = unsafe [UInt8](unsafeUninitializedCapacity: longestName) { buffer, size in
            if let start = buffer.baseAddress {
                count = unsafe presign_tls_certificate_name(certificate, Int32(kind), start, buffer.count, &size)
            }
        }
        switch count {
        case 0: return .none
        case 1: return !name.isEmpty && name.allSatisfy(ASCII.isVisible) ? .one(Array(name)) : .unusable
        case 2...: return .several
        default: return .unusable
        }
    }
}
