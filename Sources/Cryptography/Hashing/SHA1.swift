import COpenSSL

/// SHA-1 (FIPS 180-4), which is broken as a hash and protects nothing.
///
/// It is here for `x-amz-checksum-sha1` alone, a check against transmission errors.
package struct SHA1: Sendable {
    private var context: SHA_CTX

    /// The state before any byte.
    package init() {
        context = SHA_CTX()
        // unsafe: C takes a pointer to the struct; it lives for the call and is not kept.
        unsafe presign_sha1_init(&context)
    }

    /// Takes more of the message.
    package mutating func update(_ bytes: Span<UInt8>) {
        // unsafe: the pointer is used inside the closure only, with the count the span gives.
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe presign_sha1_update(&context, buffer.baseAddress, buffer.count)
        }
    }

    /// The 20 bytes of the digest of what was taken so far; this value itself can go on.
    package func digest() -> [UInt8] {
        var last = context
        var digest = [UInt8](repeating: 0, count: 20)
        // unsafe: OpenSSL writes exactly 20 bytes.
        unsafe digest.withUnsafeMutableBufferPointer { buffer in
            unsafe presign_sha1_final(buffer.baseAddress, &last)
        }
        return digest
    }
}
