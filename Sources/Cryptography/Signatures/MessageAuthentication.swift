import COpenSSL

/// HMAC with SHA-2 (RFC 7518 section 3.2).
enum MessageAuthentication {
    /// Whether `signature` is the complete authentication code of the message, compared in constant time.
    static func verify(
        _ algorithm: SignatureAlgorithm, signature: Span<UInt8>, message: Span<UInt8>, secret: SecretBytes
    ) -> Bool {
        guard let code = secret.withBytes({ code(algorithm, message: message, secret: $0) }) else { return false }
        return constantTimeEqual(code.span, signature)
    }

    private static func code(
        _ algorithm: SignatureAlgorithm, message: Span<UInt8>, secret: Span<UInt8>
    ) -> [UInt8]? {
        defer { ERR_clear_error() }
        guard let length = CInt(exactly: secret.count) else { return nil }
        var code = [UInt8](repeating: 0, count: algorithm.digestByteCount)
        var count: CUnsignedInt = 0
        // unsafe: the pointers are used only inside the closures, and the array has room for the digest that HMAC
        // writes.
        let isComputed = unsafe secret.withUnsafeBytes { secret in
            unsafe message.withUnsafeBufferPointer { message in
                unsafe HMAC(
                    algorithm.openSSLDigest, secret.baseAddress, length, message.baseAddress, message.count, &code,
                    &count) != nil
            }
        }
        return isComputed && Int(count) == code.count ? code : nil
    }
}
