import COpenSSL

/// MD5 (RFC 1321), which is broken as a hash and protects nothing.
///
/// S3 wants it in three places, each a check against transmission errors: beside a customer-provided encryption key,
/// as `Content-MD5`, and as the `ETag` of an object.
package struct MD5: Sendable {
    private var context: MD5_CTX

    /// The state before any byte.
    package init() {
        context = MD5_CTX()
        // unsafe: C takes a pointer to the struct; it lives for the call and is not kept.
        unsafe presign_md5_init(&context)
    }

    /// Takes more of the message.
    package mutating func update(_ bytes: Span<UInt8>) {
        // unsafe: the pointer is used inside the closure only, with the count the span gives.
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe presign_md5_update(&context, buffer.baseAddress, buffer.count)
        }
    }

    /// The 16 bytes of the digest of what was taken so far; this value itself can go on.
    package func digest() -> [UInt8] {
        var last = context
        var digest = [UInt8](repeating: 0, count: 16)
        // unsafe: OpenSSL writes exactly 16 bytes.
        unsafe digest.withUnsafeMutableBufferPointer { buffer in
            unsafe presign_md5_final(buffer.baseAddress, &last)
        }
        return digest
    }

    /// The 16 bytes of the digest of one whole message.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var state = MD5()
        state.update(bytes.span)
        return state.digest()
    }
}
