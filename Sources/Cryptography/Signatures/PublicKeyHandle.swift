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
}
