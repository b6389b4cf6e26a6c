import COpenSSL

/// AES-256 in Galois/Counter Mode (NIST SP 800-38D): encrypts a message, and authenticates it with a header.
///
/// A nonce must not occur twice with one key. With random nonces a key may seal up to 2^32 messages (section 8.3).
package struct AES256GCM: Sendable {
    /// The sizes of a key, a nonce and an authentication tag in bytes.
    package static let keyByteCount = 32, nonceByteCount = 12, tagByteCount = 16

    /// Fetched once, because each fetch searches OpenSSL's providers; nil if they do not have it.
    // unsafe: it is never freed, and all threads can use a fetched cipher.
    nonisolated(unsafe) private static let algorithm = unsafe EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)

    private let key: SecretBytes

    /// Creates a cipher; nil unless the key has 32 bytes.
    package init?(key: [UInt8]) {
        guard key.count == Self.keyByteCount else { return nil }
        self.key = SecretBytes(key)
    }

    /// Returns the encrypted message, followed by its tag; nil if OpenSSL fails, as without memory.
    ///
    /// - Parameter nonce: 12 bytes.
    package func seal(_ message: [UInt8], nonce: [UInt8], header: [UInt8]) -> [UInt8]? {
        var tag = [UInt8](repeating: 0, count: Self.tagByteCount)
        return process(message, encrypts: true, nonce, header, tag: &tag).map { $0 + tag }
    }

    /// Returns the decrypted message; nil unless the tag authenticates the message, the nonce and the header.
    ///
    /// - Parameters:
    ///   - sealed: what `seal` returned.
    ///   - nonce: 12 bytes.
    package func open(_ sealed: ArraySlice<UInt8>, nonce: [UInt8], header: [UInt8]) -> [UInt8]? {
        guard sealed.count >= Self.tagByteCount else { return nil }
        var tag = Array(sealed.suffix(Self.tagByteCount))
        return process(Array(sealed.dropLast(Self.tagByteCount)), encrypts: false, nonce, header, tag: &tag)
    }

    /// - Parameter tag: 16 bytes; written by encryption, compared by decryption.
    private func process(
        _ input: [UInt8], encrypts: Bool, _ nonce: [UInt8], _ header: [UInt8], tag: inout [UInt8]
    ) -> [UInt8]? {
        precondition(nonce.count == Self.nonceByteCount && tag.count == Self.tagByteCount)
        // unsafe: every pointer comes from an array, is used during the call only, and with the array's own count. The
        // output has as many bytes as the input, because GCM is a stream cipher.
        guard let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let isReady = key.withBytes { key in
            unsafe key.withUnsafeBufferPointer { key in
                unsafe EVP_CipherInit_ex2(context, Self.algorithm, key.baseAddress, nonce, encrypts ? 1 : 0, nil)
                    == 1
            }
        }
        var output = [UInt8](repeating: 0, count: input.count)
        var (count, rest) = (Int32(0), Int32(0))
        // Without padding the last step writes nothing, so it needs no memory of its own.
        var end: UInt8 = 0
        let isComplete =
            unsafe isReady
            && EVP_CipherUpdate(context, nil, &count, header, Int32(header.count)) == 1
            && EVP_CipherUpdate(context, &output, &count, input, Int32(input.count)) == 1
            && (encrypts || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1)
            && EVP_CipherFinal_ex(context, &end, &rest) == 1
            && (!encrypts || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1)
        guard isComplete, count == input.count, rest == 0 else {
            // An error that is left behind would look like one of the thread's next TLS call.
            ERR_clear_error()
            return nil
        }
        return output
    }
}

extension AES256GCM: Redacted {
    /// The type's name, without the key.
    package var description: String { "AES256GCM(redacted)" }
}
