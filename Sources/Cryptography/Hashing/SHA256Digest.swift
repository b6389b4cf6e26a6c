import Text

/// The 32 bytes of a SHA-256 digest or of an HMAC-SHA256 authentication code.
///
/// `==` takes the same time wherever two digests differ, since an authentication code is compared with a forged one.
package struct SHA256Digest: Sendable, Hashable {
    /// Bytes in a digest.
    package static let byteCount = 32

    /// The bytes in place; `storage.span` reads them without a copy.
    package internal(set) var storage: InlineArray<32, UInt8>

    package init() {
        storage = InlineArray(repeating: 0)
    }

    /// A digest from elsewhere, for example from a configuration; `nil` unless there are exactly 32 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        storage = InlineArray { bytes[$0] }
    }

    /// The bytes, copied.
    package var bytes: [UInt8] {
        storage.indices.map { storage[$0] }
    }

    /// Compares in constant time.
    package static func == (left: Self, right: Self) -> Bool {
        constantTimeEqual(left.storage.span, right.storage.span)
    }

    package func hash(into hasher: inout Hasher) {
        // A digest's bytes are evenly distributed, so eight of them are enough.
        hasher.combine(storage.span.word(at: 0))
    }
}
