import Glibc

/// Random bytes that cannot be guessed, from the system's generator. OpenSSL's is seeded from it, and its first use
/// costs a start milliseconds.
package enum SecureRandom {
    /// The generator could not be seeded: the system gave it no entropy.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        /// What happened, for a log.
        package var description: String { "the system gave no random bytes" }
    }

    /// Fresh random bytes, or a failure; never predictable ones.
    package static func bytes(count: Int) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        // unsafe: getentropy writes exactly the count it is told, and no range passes the array's end.
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

    /// Bytes that one call gives at most (POSIX.1-2024, getentropy).
    private static let mostAtOnce = 256
}
