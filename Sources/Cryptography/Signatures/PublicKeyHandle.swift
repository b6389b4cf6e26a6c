import COpenSSL

/// A public key in OpenSSL's memory; it lives as long as somebody holds it.
// Unchecked: the key is only read between `init` and `deinit`, which OpenSSL allows from many threads
// (openssl-threads(7)).
@safe
package final class PublicKeyHandle: @unchecked Sendable {
    let key: OpaquePointer

    /// - Throws: unless the bytes are exactly one SubjectPublicKeyInfo in DER.
    init(subjectPublicKeyInfo der: [UInt8]) throws(KeyRefusal) {
        // Why OpenSSL refuses is said in our words; the thread's queue of errors is left empty, whoever reads it next.
        defer { ERR_clear_error() }
        guard DER.isOneElement(der) else { throw KeyRefusal("it is no public key in DER") }
        // unsafe: OpenSSL reads the array's bytes within the closure and keeps neither pointer.
        let parsed = unsafe der.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return unsafe d2i_PUBKEY(nil, &position, buffer.count)
        }
        guard let parsed = unsafe parsed else { throw KeyRefusal("it is no public key that can be read") }
        unsafe key = parsed
    }

    /// The key of a certificate, which is taken for nothing else: neither its dates nor its issuer are looked at.
    ///
    /// - Throws: unless the bytes are exactly one X.509 certificate in DER, with a key that can be read.
    init(certificate der: [UInt8]) throws(KeyRefusal) {
        defer { ERR_clear_error() }
        guard DER.isOneElement(der) else { throw KeyRefusal("it is no certificate in DER") }
        // unsafe: as above.
        let parsed = unsafe der.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return unsafe d2i_X509(nil, &position, buffer.count)
        }
        guard let certificate = unsafe parsed else { throw KeyRefusal("it is no certificate that can be read") }
        // unsafe: the key is handed out with a reference of its own, so the certificate can go.
        let found = unsafe X509_get_pubkey(certificate)
        unsafe X509_free(certificate)
        guard let found = unsafe found else { throw KeyRefusal("the certificate's key cannot be read") }
        unsafe key = found
    }

    deinit {
        // unsafe: this is the one reference that `init` got.
        unsafe EVP_PKEY_free(key)
    }
}
