import COpenSSL
import Text

/// SHA-256 (FIPS 180-4) as a value: copying it copies the state, so a common beginning is hashed once.
///
/// It never allocates and needs no reference counting, which makes it `Sendable` and cheap to keep in other values.
package struct SHA256: Sendable {
    /// Bytes taken by one compression, also the block size of HMAC-SHA256.
    package static let blockByteCount = 64

    private var context: SHA256_CTX

    /// The state before any byte.
    package init() {
        context = presign_sha256_start()
    }

    /// Takes more of the message.
    package mutating func update(_ bytes: Span<UInt8>) {
        // unsafe: the pointer is used inside the closure only, with the count the span gives.
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe presign_sha256_update(&context, buffer.baseAddress, buffer.count)
        }
    }

    /// The digest of what was taken so far; this value itself can go on.
    package func digest() -> SHA256Digest {
        var last = context
        var digest = SHA256Digest()
        var storage = digest.storage.mutableSpan
        // unsafe: OpenSSL writes exactly the 32 bytes the digest owns.
        unsafe storage.withUnsafeMutableBufferPointer { buffer in
            unsafe presign_sha256_final(buffer.baseAddress, &last)
        }
        return digest
    }

    /// The digest of what was taken and of the end of the message, which brings its padding with it.
    ///
    /// Where a message is written into a buffer anyway this saves copies, and a call of the compression function.
    /// - Parameter end: whole blocks, the last bytes of them from `appendPadding`; whole blocks were taken before too.
    @inline(__always)
    package func digest(endingWith end: Span<UInt8>) -> SHA256Digest {
        precondition(
            context.num == 0 && !end.isEmpty && end.count % Self.blockByteCount == 0, "the message has no padding")
        var digest = SHA256Digest()
        var storage = digest.storage.mutableSpan
        // unsafe: exactly the 32 bytes the digest owns are written, and the bytes are read with the count of their span.
        unsafe storage.withUnsafeMutableBufferPointer { digest in
            unsafe withUnsafePointer(to: context) { context in
                unsafe end.withUnsafeBytes { blocks in
                    unsafe presign_sha256_end(digest.baseAddress, context, blocks.baseAddress, blocks.count)
                }
            }
        }
        return digest
    }

    /// The most bytes that padding has.
    package static let longestPadding = 72

    /// Appends the padding of a message (FIPS 180-4, section 5.1.1), with which it fills whole blocks.
    ///
    /// - Parameter count: the bytes of the whole message.
    package static func appendPadding(ofMessage count: Int, to output: inout OutputSpan<UInt8>) {
        output.append(0x80)
        output.append(repeating: 0, count: (55 &- count) & 63)
        output.append(lowestFirst: UInt64(8 * count).byteSwapped)
    }

    /// The digest of one whole message.
    package static func hash(_ bytes: Span<UInt8>) -> SHA256Digest {
        let whole = bytes.count - bytes.count % blockByteCount
        var state = SHA256()
        if whole > 0 { state.update(bytes.extracting(..<whole)) }
        // Padded here: to let OpenSSL keep the rest and pad it is more work.
        var last = InlineArray<128, UInt8>(repeating: 0)
        var span = last.mutableSpan
        var count = 0
        span.overwrite(from: 0) { output in
            output.append(bytes.extracting(whole...))
            appendPadding(ofMessage: bytes.count, to: &output)
            count = output.count
        }
        let digest = state.digest(endingWith: last.span.extracting(..<count))
        // It may have been a secret.
        span = last.mutableSpan
        cleanse(&span)
        return digest
    }

    /// The digest of one whole message.
    package static func hash(_ bytes: [UInt8]) -> SHA256Digest {
        hash(bytes.span)
    }
}
