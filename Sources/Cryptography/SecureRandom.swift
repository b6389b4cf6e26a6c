import Glibc

/// Cryptographically secure random bytes from the kernel. The first use of OpenSSL's own generator would delay startup
/// by milliseconds.
package enum SecureRandom {
    /// The kernel's generator is not available.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        package var description: String { "the system did not provide random bytes" }
    }

    /// Returns random bytes.
    ///
    /// - Throws: `Failure` instead of returning predictable bytes.
    package static func bytes(count: Int) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        // unsafe: getentropy writes exactly `part.count` bytes, and each part lies within the array.
        let isFilled = unsafe bytes.withUnsafeMutableBytes { buffer in
            stride(from: 0, to: buffer.count, by: mostAtOnce).allSatisfy { start in
                let part = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: buffer[start..<min(start + mostAtOnce, buffer.count)])
                guard let address = part.baseAddress else { return false }
                return unsafe getentropy(address, part.count) == 0
            }
        }
        guard isFilled else { throw Failure() }
        return bytes
    }

    /// The most bytes that one call returns (POSIX.1-2024, getentropy).
    private static let mostAtOnce = 256
}
