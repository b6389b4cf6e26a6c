import COpenSSL

extension SigningKey {
    /// A signature in the form of JSON Web Signature.
    ///
    /// - Parameter algorithm: Selects digest and padding, whether or not the key's type fits.
    package func signature(_ algorithm: String, over message: [UInt8], saltLength: Int32 = -1) -> [UInt8] {
        // Everything lives in this function; the array has room for what OpenSSL says it writes.
        guard let context = unsafe EVP_MD_CTX_new() else { fatalError("no context") }
        defer { unsafe EVP_MD_CTX_free(context) }
        let digest: OpaquePointer? =
            switch algorithm.suffix(3) {
            case "256": unsafe EVP_sha256()
            case "384": unsafe EVP_sha384()
            case "512": unsafe EVP_sha512()
            default: nil
            }
        var keyContext: OpaquePointer?
        guard unsafe EVP_DigestSignInit(context, &keyContext, digest, nil, key) == 1 else { fatalError("cannot sign") }
        if algorithm.hasPrefix("PS") {
            unsafe EVP_PKEY_CTX_set_rsa_padding(keyContext, RSA_PKCS1_PSS_PADDING)
            unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(keyContext, saltLength)
        }
        var (signature, count) = ([UInt8](repeating: 0, count: 2048), 2048)
        guard unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else {
            fatalError("not signed")
        }
        signature.removeSubrange(count...)
        guard algorithm.hasPrefix("ES") else { return signature }
        return raw(signature, coordinate: Int(unsafe EVP_PKEY_get_bits(key) + 7) / 8)
    }

    /// The two integers of an ECDSA signature in DER, at full length.
    private func raw(_ der: [UInt8], coordinate count: Int) -> [UInt8] {
        var rest = der.dropFirst(der[1] < 0x80 ? 2 : 3)
        var raw: [UInt8] = []
        for _ in 0..<2 {
            let length = Int(rest[rest.startIndex + 1])
            let number = rest.dropFirst(2).prefix(length).drop { $0 == 0 }
            raw += [UInt8](repeating: 0, count: count - number.count) + number
            rest = rest.dropFirst(2 + length)
        }
        return raw
    }
}

/// An HMAC with SHA-2, for tests.
///
/// - Parameter algorithm: HS256, HS384 or HS512.
package func messageAuthenticationCode(_ algorithm: String, _ message: [UInt8], secret: [UInt8]) -> [UInt8] {
    // The pointers live for the call; the longest code has 64 bytes.
    var (code, count) = ([UInt8](repeating: 0, count: 64), UInt32(0))
    let digest =
        switch algorithm {
        case "HS384": unsafe EVP_sha384()
        case "HS512": unsafe EVP_sha512()
        default: unsafe EVP_sha256()
        }
    unsafe HMAC(digest, secret, Int32(secret.count), message, message.count, &code, &count)
    return Array(code.prefix(Int(count)))
}
