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
    /// - Parameter end: at least one block, the last bytes of which `appendPadding` has written.
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

    /// Appends the padding that fills a message to whole blocks, 9 to 72 bytes (FIPS 180-4 section 5.1.1).
    ///
    /// - Parameter count: the size of the whole message in bytes.
    package static func appendPadding(ofMessage count: Int, to output: inout OutputSpan<UInt8>) {
        output.append(0x80)
        output.append(repeating: 0, count: (55 &- count) & 63)
        output.append(first: 8, of: UInt64(8 * count).byteSwapped)
    }

    /// Returns the digest of a message.
    package static func hash(_ bytes: Span<UInt8>) -> SHA256Digest {
        let whole = bytes.count - bytes.count % blockByteCount
        var state = SHA256()
        if whole > 0 { state.update(bytes.extracting(..<whole)) }
        var last = InlineArray<128, UInt8>(repeating: 0)
        var span = last.mutableSpan
        var count = 0
        span.overwrite(from: 0) { output in
            output.append(bytes.extracting(whole...))
            appendPadding(ofMessage: bytes.count, to: &output)
            count = output.count
        }
        let digest = state.digest(endingWith: last.span.extracting(..<count))
        // The message may be a secret.
        span = last.mutableSpan
        cleanse(&span)
        return digest
    }

    /// Returns the digest of a message.
    package static func hash(_ bytes: [UInt8]) -> SHA256Digest {
        hash(bytes.span)
    }
}
