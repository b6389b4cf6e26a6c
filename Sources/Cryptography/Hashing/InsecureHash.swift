import COpenSSL

/// MD5 (RFC 1321) or SHA-1 (FIPS 180-4) as a value: both are broken as hashes and protect nothing.
///
/// S3 uses them as checks against transmission errors: MD5 in `Content-MD5`, in `ETag` and beside a customer-provided
/// encryption key, SHA-1 in `x-amz-checksum-sha1`.
package struct InsecureHash: Sendable {
    /// Which of the two.
    package enum Algorithm: Sendable {
        case md5
        case sha1

        /// Bytes in a digest.
        package var byteCount: Int { self == .md5 ? Int(MD5_DIGEST_LENGTH) : Int(SHA_DIGEST_LENGTH) }
    }

    private let algorithm: Algorithm
    private var state: presign_insecure_hash

    /// The state before any byte.
    package init(_ algorithm: Algorithm) {
        self.algorithm = algorithm
        state = presign_insecure_hash_start(algorithm == .sha1)
    }

    /// Takes more of the message.
    package mutating func update(_ bytes: Span<UInt8>) {
        // unsafe: the pointer is used inside the closure only, with the count the span gives.
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe presign_insecure_hash_update(&state, buffer.baseAddress, buffer.count)
        }
    }

    /// The digest of what was taken so far; this value itself can go on.
    package func digest() -> [UInt8] {
        var last = state
        var digest = [UInt8](repeating: 0, count: algorithm.byteCount)
        // unsafe: OpenSSL writes exactly as many bytes as a digest of the algorithm has.
        unsafe digest.withUnsafeMutableBufferPointer { buffer in
            unsafe presign_insecure_hash_finish(buffer.baseAddress, &last)
        }
        return digest
    }

    /// The digest of one whole message.
    package static func hash(_ bytes: [UInt8], _ algorithm: Algorithm) -> [UInt8] {
        var state = InsecureHash(algorithm)
        state.update(bytes.span)
        return state.digest()
    }
}
