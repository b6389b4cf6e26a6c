import COpenSSL
import Text

/// SHA-256 (FIPS 180-4). A copy has its own state, so a common prefix of several messages is hashed only once.
package struct SHA256: Sendable {
    /// The bytes of one compression, also the block size of HMAC-SHA256.
    package static let blockByteCount = 64

    private var context: SHA256_CTX

    /// Creates a hash of an empty message.
    package init() {
        context = presign_sha256_start()
    }

    /// Adds bytes to the message.
    package mutating func update(_ bytes: Span<UInt8>) {
        // unsafe: the pointer is used only inside the closure, with the span's count.
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe presign_sha256_update(&context, buffer.baseAddress, buffer.count)
        }
    }

    /// Adds a string literal to the message.
    package mutating func update(_ text: StaticString) {
        // unsafe: the literal lives as long as the program, and the count is its own.
        unsafe update(Span(_unsafeStart: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Returns the digest of the message so far. More bytes may follow.
    package func digest() -> SHA256Digest {
        var last = context
        var digest = SHA256Digest()
        var storage = digest.storage.mutableSpan
        // unsafe: OpenSSL writes exactly the digest's 32 bytes.
        unsafe storage.withUnsafeMutableBufferPointer { buffer in
            unsafe presign_sha256_final(buffer.baseAddress, &last)
        }
        return digest
    }

    /// Returns the digest of a message.
    package static func hash(_ bytes: Span<UInt8>) -> SHA256Digest {
        var digest = SHA256Digest()
        var storage = digest.storage.mutableSpan
        // unsafe: the call writes exactly the digest's 32 bytes and reads the message with its own count.
        unsafe storage.withUnsafeMutableBufferPointer { digest in
            unsafe bytes.withUnsafeBufferPointer { message in
                unsafe presign_sha256(digest.baseAddress, message.baseAddress, message.count)
            }
        }
        return digest
    }

    /// Returns the digest of a message.
    package static func hash(_ bytes: [UInt8]) -> SHA256Digest {
        hash(bytes.span)
    }
}

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

    /// The digest as 64 lowercase hexadecimal digits.
    package var hexadecimal: InlineArray<64, UInt8> {
        var digits = InlineArray<64, UInt8>(repeating: 0)
        let bytes = storage.span
        var output = digits.mutableSpan
        for index in bytes.indices {
            output[2 * index] = Hexadecimal.digit(bytes[index] >> 4)
            output[2 * index + 1] = Hexadecimal.digit(bytes[index] & 0x0F)
        }
        return digits
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
