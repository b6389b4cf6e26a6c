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

    private let names: [NameKind: Name]
    /// The validity in seconds since 1970; empty if it cannot be read.
    package let validity: Range<Int64>

    /// Returns the names of a kind.
    package func name(_ kind: NameKind) -> Name { names[kind] ?? .none }

    package init(names: [NameKind: Name], validity: Range<Int64>) {
        (self.names, self.validity) = (names, validity)
    }
}
