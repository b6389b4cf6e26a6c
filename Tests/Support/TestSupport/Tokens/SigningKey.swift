import COpenSSL

/// A key pair generated for a test and never stored. A failure to generate it stops the test.
// Unchecked: the key is set in `init`, freed in `deinit` and only read in between.
@safe
package final class SigningKey: @unchecked Sendable {
    let key: OpaquePointer

    /// The type of key to generate.
    package enum Kind: Sendable {
        case rsa(bits: Int32, exponent: UInt = 65_537)
        /// OpenSSL's name of the curve.
        case curve(String)
        case ed25519
    }

    let kind: Kind

    /// Generates a pair.
    package init(_ kind: Kind) {
        self.kind = kind
        // The context and the number live in this function, and `deinit` frees the key. The calls below also free
        // everything where they create it, and write only into arrays of sufficient size.
        let name =
            switch kind {
            case .rsa: "RSA"
            case .curve: "EC"
            case .ed25519: "ED25519"
            }
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, name, nil),
            unsafe EVP_PKEY_keygen_init(context) == 1
        else { fatalError("no key of this kind") }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        switch kind {
        case .rsa(let bits, let exponent):
            let number = unsafe BN_new()
            unsafe BN_set_word(number, exponent)
            unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits)
            unsafe EVP_PKEY_CTX_set1_rsa_keygen_pubexp(context, number)
            unsafe BN_free(number)
        case .curve(let name): unsafe EVP_PKEY_CTX_set_group_name(context, name)
        case .ed25519: break
        }
        var made: OpaquePointer?
        guard unsafe EVP_PKEY_generate(context, &made) == 1, let made = unsafe made else {
            fatalError("no key was generated")
        }
        unsafe key = made
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// The SubjectPublicKeyInfo.
    package var publicDER: [UInt8] {
        var output: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_PUBKEY(key, &output)
        return unsafe Self.taken(output, count)
    }

    /// A self-signed certificate of the key.
    package var certificateDER: [UInt8] {
        let certificate = unsafe X509_new()
        defer { unsafe X509_free(certificate) }
        unsafe X509_gmtime_adj(X509_getm_notBefore(certificate), 0)
        unsafe X509_gmtime_adj(X509_getm_notAfter(certificate), 86_400)
        unsafe X509_set_pubkey(certificate, key)
        var digest = unsafe EVP_sha256()
        if case .ed25519 = kind { unsafe digest = nil }
        guard unsafe X509_sign(certificate, key, digest) > 0 else { fatalError("no certificate was created") }
        var output: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_X509(certificate, &output)
        return unsafe Self.taken(output, count)
    }

    /// The private key in PKCS #8.
    package var privateDER: [UInt8] {
        let info = unsafe EVP_PKEY2PKCS8(key)
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        var output: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_PKCS8_PRIV_KEY_INFO(info, &output)
        return unsafe Self.taken(output, count)
    }

    /// An integer of the key by OpenSSL's name, such as `n` or `qx`, big-endian.
    package func number(_ name: String, count: Int? = nil) -> [UInt8] {
        var number: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(key, name, &number) == 1 else { fatalError("no number \(name)") }
        defer { unsafe BN_free(number) }
        let count = count ?? Int(unsafe BN_num_bits(number) + 7) / 8
        var bytes = [UInt8](repeating: 0, count: count)
        unsafe BN_bn2binpad(number, &bytes, Int32(count))
        return bytes
    }

    /// The 32 bytes of an Ed25519 key.
    package var rawPublicKey: [UInt8] {
        var (bytes, count) = ([UInt8](repeating: 0, count: 32), 32)
        unsafe EVP_PKEY_get_raw_public_key(key, &bytes, &count)
        return bytes
    }

    // OpenSSL allocated the text, which is copied and then freed.
    private static func taken(_ output: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> [UInt8] {
        guard let output = unsafe output, count > 0 else { fatalError("no output") }
        defer { unsafe CRYPTO_free(output, #file, #line) }
        return unsafe Array(UnsafeBufferPointer(start: output, count: Int(count)))
    }
}
