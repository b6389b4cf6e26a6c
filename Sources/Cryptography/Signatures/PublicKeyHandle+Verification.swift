import COpenSSL

extension PublicKeyHandle {
    /// - Parameters:
    ///   - algorithm: one that goes with the key's kind; no HMAC.
    ///   - signature: as OpenSSL wants it, ECDSA's in DER.
    func verify(_ algorithm: SignatureAlgorithm, signature: Span<UInt8>, message: Span<UInt8>) -> Bool {
        guard hasLength(signature.count, for: algorithm) else { return false }
        // What an earlier user of the thread left behind is not ours to report, nor ours to leave.
        ERR_clear_error()
        defer { ERR_clear_error() }
        // unsafe: the context belongs to this call alone and is freed by it; the key's own context in it goes with it.
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        var keyContext: OpaquePointer?
        guard unsafe EVP_DigestVerifyInit(context, &keyContext, algorithm.openSSLDigest, nil, key) == 1 else {
            return false
        }
        if algorithm.scheme == .pss, unsafe !Self.usePSS(keyContext) { return false }
        // unsafe: both pointers are read inside the closures only, for the counts the spans give.
        return unsafe signature.withUnsafeBufferPointer { signature in
            unsafe message.withUnsafeBufferPointer { message in
                // 0 is a signature that is wrong, a negative number one that is none; 1 alone is success.
                unsafe EVP_DigestVerify(
                    context, signature.baseAddress, signature.count, message.baseAddress, message.count) == 1
            }
        }
    }

    /// An RSA signature is as long as the modulus (RFC 8017 sections 8.1.2 and 8.2.2, step 1). For PSS OpenSSL takes it
    /// without its leading zeros, too, and one signature would have two texts.
    private func hasLength(_ count: Int, for algorithm: SignatureAlgorithm) -> Bool {
        // unsafe: the key is alive, and only read.
        algorithm.keyKind != .rsa || count == Int(unsafe EVP_PKEY_get_size(key))
    }

    /// RFC 7518 section 3.5: MGF1 with the same digest (OpenSSL's choice when none is set), salt as long as the digest.
    private static func usePSS(_ context: OpaquePointer?) -> Bool {
        // unsafe: the context is that of the verification, which is alive.
        unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1
    }
}

extension SignatureAlgorithm {
    /// OpenSSL's name of the digest; nil for EdDSA, which takes the message as it is.
    ///
    /// These are constants of the library. To fetch a digest once and keep it would save nothing: setting up a
    /// verification looks it up by its name either way.
    var openSSLDigest: OpaquePointer? {
        // unsafe: the functions return pointers to constants.
        switch self {
        case .rs256, .ps256, .es256, .hs256: unsafe EVP_sha256()
        case .rs384, .ps384, .es384, .hs384: unsafe EVP_sha384()
        case .rs512, .ps512, .es512, .hs512: unsafe EVP_sha512()
        case .edDSA: nil
        }
    }
}
