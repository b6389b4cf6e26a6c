/// An HMAC-SHA256 key (RFC 2104), stored as the two hash states derived from it.
///
/// Each message then needs two compressions less, and the key itself is not stored.
package struct HMACSHA256: Sendable {
    private let inner: SHA256
    private let outer: SHA256

    /// Creates a key of any length. A key longer than 64 bytes is hashed first (RFC 2104 section 2).
    package init(key: Span<UInt8>) {
        var block = InlineArray<64, UInt8>(repeating: 0)
        if key.count > SHA256.blockByteCount {
            let digest = SHA256.hash(key)
            for index in 0..<SHA256Digest.byteCount { block[index] = digest.storage[index] }
        } else {
            for index in key.indices { block[index] = key[index] }
        }
        inner = Self.state(afterKey: block, xor: 0x36)
        outer = Self.state(afterKey: block, xor: 0x5c)
        var span = block.mutableSpan
        cleanse(&span)
    }

    /// Creates a key of any length.
    package init(key: [UInt8]) {
        self.init(key: key.span)
    }

    private init(inner: SHA256, outer: SHA256) {
        self.inner = inner
        self.outer = outer
    }

    /// Returns a key whose messages all start with `prefix`, which is hashed only once.
    package func continuing(after prefix: Span<UInt8>) -> HMACSHA256 {
        var state = inner
        state.update(prefix)
        return HMACSHA256(inner: state, outer: outer)
    }

    /// Returns the authentication code of a message.
    package func authenticationCode(for message: Span<UInt8>) -> SHA256Digest {
        var (inner, outer) = (inner, outer)
        inner.update(message)
        outer.update(inner.digest().storage.span)
        return outer.digest()
    }

    /// Returns the authentication code of a message.
    package func authenticationCode(for message: [UInt8]) -> SHA256Digest {
        authenticationCode(for: message.span)
    }

    private static func state(afterKey block: InlineArray<64, UInt8>, xor pad: UInt8) -> SHA256 {
        var padded = block
        for index in padded.indices { padded[index] ^= pad }
        var state = SHA256()
        state.update(padded.span)
        var span = padded.mutableSpan
        cleanse(&span)
        return state
    }
}

extension HMACSHA256: Redacted {
    /// The type's name, without the key.
    package var description: String { "HMACSHA256(redacted)" }
}
