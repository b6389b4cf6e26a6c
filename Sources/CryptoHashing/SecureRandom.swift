import COpenSSL

/// Random bytes that cannot be guessed, from OpenSSL's generator.
public enum SecureRandom {
    /// The generator could not be seeded: the system gave it no entropy.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// What happened, for a log.
        public var description: String { "the system gave no random bytes" }
    }

    /// Fresh random bytes, or a failure; never predictable ones.
    public static func bytes(count: Int) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        // unsafe: OpenSSL writes exactly the count it is told, into an array of that count.
        let outcome = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            unsafe RAND_bytes(buffer.baseAddress, Int32(clamping: buffer.count))
        }
        guard outcome == 1, count <= Int(Int32.max) else { throw Failure() }
        return bytes
    }
}
