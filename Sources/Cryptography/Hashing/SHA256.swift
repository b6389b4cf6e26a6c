import COpenSSL

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

    /// Returns the digest of the message so far followed by `end`, which already contains the padding.
    ///
    /// Traps unless `end` and the bytes added before it are whole blocks.
    ///
    /// - Parameter end: at least one block, which ends with the padding (FIPS 180-4 section 5.1.1).
    package func digest(endingWith end: Span<UInt8>) -> SHA256Digest {
        precondition(
            context.num == 0 && !end.isEmpty && end.count % Self.blockByteCount == 0, "the message has no padding")
        var digest = SHA256Digest()
        var storage = digest.storage.mutableSpan
        // unsafe: the call writes exactly the digest's 32 bytes and reads `end` with its own count.
        unsafe storage.withUnsafeMutableBufferPointer { digest in
            unsafe withUnsafePointer(to: context) { context in
                unsafe end.withUnsafeBytes { blocks in
                    unsafe presign_sha256_end(digest.baseAddress, context, blocks.baseAddress, blocks.count)
                }
            }
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
