import COpenSSL

/// Owns an OpenSSL public key.
@safe
package final class PublicKeyHandle: Sendable {
    // unsafe: between `init` and `deinit` the key is only read, which OpenSSL allows on many threads
    // (openssl-threads(7)).
    nonisolated(unsafe) let key: OpaquePointer

    /// - Throws: unless the bytes are exactly one SubjectPublicKeyInfo in DER.
    init(subjectPublicKeyInfo der: [UInt8]) throws(KeyRefusal) {
        // Later calls on this thread must not find these errors in OpenSSL's queue.
        defer { ERR_clear_error() }
        guard DER.isOneElement(der) else { throw KeyRefusal("the data is not a public key in DER") }
        // unsafe: OpenSSL reads the array's bytes within the closure and keeps no pointer to them.
        let parsed = unsafe der.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return unsafe d2i_PUBKEY(nil, &position, buffer.count)
        }
        guard let parsed = unsafe parsed else { throw KeyRefusal("the public key cannot be read") }
        unsafe key = parsed
    }

    /// Reads the key of a certificate. The certificate's dates and its issuer are not checked.
    ///
    /// - Throws: unless the bytes are exactly one X.509 certificate in DER, with a key that can be read.
    init(certificate der: [UInt8]) throws(KeyRefusal) {
        defer { ERR_clear_error() }
        guard DER.isOneElement(der) else { throw KeyRefusal("the data is not a certificate in DER") }
        // unsafe: OpenSSL reads the array's bytes within the closure and keeps no pointer to them.
        let parsed = unsafe der.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return unsafe d2i_X509(nil, &position, buffer.count)
        }
        guard let certificate = unsafe parsed else { throw KeyRefusal("the certificate cannot be read") }
        // unsafe: X509_get_pubkey returns a new reference to the key, which outlives the certificate.
        let found = unsafe X509_get_pubkey(certificate)
        unsafe X509_free(certificate)
        guard let found = unsafe found else { throw KeyRefusal("the certificate's key cannot be read") }
        unsafe key = found
    }

    deinit {
        // unsafe: this releases the reference that `init` acquired.
        unsafe EVP_PKEY_free(key)
    }

    /// Whether the signature of a message is valid.
    ///
    /// - Parameters:
    ///   - algorithm: an algorithm for the key's kind, not HMAC.
    ///   - signature: in OpenSSL's form, which is DER for ECDSA.
    func verify(_ algorithm: SignatureAlgorithm, signature: Span<UInt8>, message: Span<UInt8>) -> Bool {
        guard hasLength(signature.count, for: algorithm) else { return false }
        ERR_clear_error()
        defer { ERR_clear_error() }
        // unsafe: this call owns the context, which owns the key context and is freed below.
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        var keyContext: OpaquePointer?
        guard unsafe EVP_DigestVerifyInit(context, &keyContext, algorithm.openSSLDigest, nil, key) == 1 else {
            return false
        }
        if algorithm.scheme == .pss, unsafe !Self.usePSS(keyContext) { return false }
        // unsafe: both pointers are read only inside the closures, with the spans' counts.
        return unsafe signature.withUnsafeBufferPointer { signature in
            unsafe message.withUnsafeBufferPointer { message in
                // 0 means a wrong signature, a negative number a malformed one.
                unsafe EVP_DigestVerify(
                    context, signature.baseAddress, signature.count, message.baseAddress, message.count) == 1
            }
        }
    }

    /// Whether an RSA signature is as long as the modulus (RFC 8017 sections 8.1.2 and 8.2.2, step 1). For PSS, OpenSSL
    /// also accepts a signature without its leading zeros, which would give one signature two encodings.
    private func hasLength(_ count: Int, for algorithm: SignatureAlgorithm) -> Bool {
        // unsafe: the key lives as long as this object and is only read.
        algorithm.keyKind != .rsa || count == Int(unsafe EVP_PKEY_get_size(key))
    }

    /// Selects PSS as in RFC 7518 section 3.5: MGF1 with the same digest, which is OpenSSL's default, and a salt as
    /// long as the digest.
    private static func usePSS(_ context: OpaquePointer?) -> Bool {
        // unsafe: the context belongs to the verification in progress, which keeps it alive.
        unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1
    }
}

extension SignatureAlgorithm {
    /// OpenSSL's digest; nil for EdDSA, which signs the message itself.
    var openSSLDigest: OpaquePointer? {
        // unsafe: the functions return pointers to constants of the library.
        switch self {
        case .rs256, .ps256, .es256, .hs256: unsafe EVP_sha256()
        case .rs384, .ps384, .es384, .hs384: unsafe EVP_sha384()
        case .rs512, .ps512, .es512, .hs512: unsafe EVP_sha512()
        case .edDSA: nil
        }
    }
}
