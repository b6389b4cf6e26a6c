import Text

/// The 32 bytes of a SHA-256 digest or of an HMAC-SHA256 authentication code.
package struct SHA256Digest: Sendable, Hashable {
    /// The size of a digest in bytes.
    package static let byteCount = 32

    /// The bytes; `storage.span` gives access to them.
    package internal(set) var storage: InlineArray<32, UInt8>

    package init() {
        storage = InlineArray(repeating: 0)
    }

    /// Creates a digest from its bytes, for example from a configuration; nil unless there are exactly 32.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        storage = InlineArray { bytes[$0] }
    }

    /// A copy of the bytes.
    package var bytes: [UInt8] {
        storage.indices.map { storage[$0] }
    }

    /// Compares in constant time, so the comparison does not reveal how much of a forged authentication code is right.
    package static func == (left: Self, right: Self) -> Bool {
        constantTimeEqual(left.storage.span, right.storage.span)
    }

    package func hash(into hasher: inout Hasher) {
        // The bytes of a digest are evenly distributed, so eight are enough.
        hasher.combine(storage.span.word(at: 0))
    }
}
