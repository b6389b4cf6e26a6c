import COpenSSL

/// MD5 (RFC 1321) or SHA-1 (FIPS 180-4). Both are broken and must not protect anything.
///
/// S3 uses them to detect transmission errors: MD5 in `Content-MD5`, in `ETag` and for a customer-provided encryption
/// key, SHA-1 in `x-amz-checksum-sha1`.
package struct InsecureHash: Sendable {
    package enum Algorithm: Sendable {
        case md5
        case sha1

        /// The size of a digest in bytes.
        package var byteCount: Int { self == .md5 ? Int(MD5_DIGEST_LENGTH) : Int(SHA_DIGEST_LENGTH) }
    }

    private let algorithm: Algorithm
    private var state: presign_insecure_hash

    /// Creates a hash of an empty message.
    package init(_ algorithm: Algorithm) {
        self.algorithm = algorithm
        state = presign_insecure_hash_start(algorithm == .sha1)
    }

    /// Adds bytes to the message.
    package mutating func update(_ bytes: Span<UInt8>) {
        // unsafe: the pointer is used only inside the closure, with the span's count.
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe presign_insecure_hash_update(&state, buffer.baseAddress, buffer.count)
        }
    }

    /// Returns the digest of the message so far. More bytes may follow.
    package func digest() -> [UInt8] {
        var last = state
        var digest = [UInt8](repeating: 0, count: algorithm.byteCount)
        // unsafe: OpenSSL writes exactly `byteCount` bytes.
        unsafe digest.withUnsafeMutableBufferPointer { buffer in
            unsafe presign_insecure_hash_finish(buffer.baseAddress, &last)
        }
        return digest
    }

    /// Returns the digest of a message.
    package static func hash(_ bytes: [UInt8], _ algorithm: Algorithm) -> [UInt8] {
        var state = InsecureHash(algorithm)
        state.update(bytes.span)
        return state.digest()
    }
}
