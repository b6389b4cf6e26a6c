import COpenSSL

/// SHA-256 (FIPS 180-4) as a value: copying it copies the state, so a common beginning is hashed once.
///
/// It never allocates and needs no reference counting, which makes it `Sendable` and cheap to keep in other values.
public struct SHA256: Sendable {
    /// Bytes taken by one compression, also the block size of HMAC-SHA256.
    public static let blockByteCount = 64

    private var context: SHA256_CTX

    /// The state before any byte.
    public init() {
        context = SHA256_CTX()
        // unsafe: C takes a pointer to the struct; it lives for the call and is not kept.
        unsafe presign_sha256_init(&context)
    }

    /// Takes more of the message.
    public mutating func update(_ bytes: Span<UInt8>) {
        // unsafe: the pointer is used inside the closure only, with the count the span gives.
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe presign_sha256_update(&context, buffer.baseAddress, buffer.count)
        }
    }

    /// The digest of what was taken so far; this value itself can go on.
    public func digest() -> SHA256Digest {
        var last = context
        var digest = SHA256Digest()
        var storage = digest.storage.mutableSpan
        // unsafe: OpenSSL writes exactly the 32 bytes the digest owns.
        unsafe storage.withUnsafeMutableBufferPointer { buffer in
            unsafe presign_sha256_final(buffer.baseAddress, &last)
        }
        return digest
    }

    /// The digest of one whole message.
    public static func hash(_ bytes: Span<UInt8>) -> SHA256Digest {
        var state = SHA256()
        state.update(bytes)
        return state.digest()
    }

    /// The digest of one whole message.
    public static func hash(_ bytes: [UInt8]) -> SHA256Digest {
        hash(bytes.span)
    }
}
