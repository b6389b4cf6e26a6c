internal import COpenSSL
import Text

/// What a verified certificate says of its holder.
package final class PeerCertificate: Sendable {
    /// A kind of name beside the subject's (RFC 5280 section 4.2.1.6).
    package enum NameKind: Sendable, CaseIterable {
        case uri, dns, email
    }

    /// The names of one kind.
    package enum Name: Sendable, Equatable {
        case none
        /// The only one: visible ASCII.
        case one([UInt8])
        case several
        /// One that holds other characters, such as a NUL, or is longer than 2048 bytes; or names that cannot be read.
        case unusable
    }

    /// What a SPIFFE ID may have, the longest of the names that are in use.
    package static let longestName = 2048

    private let uri, dns, email: Name
    /// SHA-256 of the certificate's DER.
    package let fingerprint: [UInt8]
    /// When it is valid, in seconds since 1970; never, if that cannot be read.
    package let validity: Range<Int64>

    /// The names of that kind.
    package func name(_ kind: NameKind) -> Name {
        switch kind {
        case .uri: uri
        case .dns: dns
        case .email: email
        }
    }

    /// A certificate put together by hand, as for tests of whoever believes it.
    package init(names: [NameKind: Name], fingerprint: [UInt8], validity: Range<Int64>) {
        (uri, dns, email) = (names[.uri] ?? .none, names[.dns] ?? .none, names[.email] ?? .none)
        (self.fingerprint, self.validity) = (fingerprint, validity)
    }

    @unsafe
    package init(_ certificate: OpaquePointer) {
        // unsafe: the caller keeps the certificate alive; the functions write into what stands here, within its bounds.
        unsafe (uri, dns, email) = (
            Self.name(certificate, TRANSPORT_NAME_URI), Self.name(certificate, TRANSPORT_NAME_DNS),
            Self.name(certificate, TRANSPORT_NAME_EMAIL)
        )
        var digest = [UInt8](repeating: 0, count: 32)
        var (begins, ends) = (Int64(0), Int64(0))
        let isRead = unsafe digest.withUnsafeMutableBufferPointer { digest in
            guard let start = digest.baseAddress else { return false }
            return unsafe presign_tls_certificate_fingerprint(certificate, start)
                && presign_tls_certificate_validity(certificate, &begins, &ends)
        }
        fingerprint = digest
        validity = isRead && begins < ends ? begins..<ends : 0..<0
    }

    @unsafe
    private static func name(_ certificate: OpaquePointer, _ kind: some BinaryInteger) -> Name {
        var count: Int32 = 0
        // unsafe: as above.
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
