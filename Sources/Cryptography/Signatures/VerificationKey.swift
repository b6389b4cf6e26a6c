import COpenSSL

/// A key for verifying signatures: a public key, or the secret of an HMAC. `init` checks it.
package struct VerificationKey: Sendable {
    /// The kind of a key. Each algorithm requires one kind.
    package enum Kind: String, Sendable {
        case rsa = "RSA"
        case p256 = "P-256"
        case p384 = "P-384"
        case p521 = "P-521"
        case ed25519 = "Ed25519"
        case secret
    }

    private enum Material: Sendable {
        case publicKey(PublicKeyHandle)
        case secret(SecretBytes)
    }

    /// The size of the shortest accepted secret in bytes: RFC 8725 section 3.5, and for HS256 RFC 7518 section 3.2.
    package static let shortestSecret = 32

    package let kind: Kind
    private let material: Material

    /// Creates a public key from a SubjectPublicKeyInfo in DER (RFC 5280 section 4.1.2.7).
    package init(subjectPublicKeyInfo der: [UInt8]) throws(KeyRefusal) {
        try self.init(PublicKeyHandle(subjectPublicKeyInfo: der))
    }

    package init(_ handle: PublicKeyHandle) throws(KeyRefusal) {
        kind = try handle.checkedKind()
        material = .publicKey(handle)
    }

    /// Creates a key from the secret of an HMAC.
    ///
    /// - Throws: if the secret has fewer than 32 bytes.
    package init(secret: SecretBytes) throws(KeyRefusal) {
        guard secret.count >= Self.shortestSecret else { throw KeyRefusal("a secret must have at least 32 bytes") }
        kind = .secret
        material = .secret(secret)
    }

    /// Creates an RSA key (RFC 7518 section 6.3.1).
    ///
    /// - Parameters:
    ///   - modulus: big-endian, 2048 to 8192 bits.
    ///   - exponent: big-endian, odd, at least 65537 (FIPS 186-5 section 5.1), at most 64 bits.
    package init(rsaModulus modulus: [UInt8], exponent: [UInt8]) throws(KeyRefusal) {
        guard modulus.count <= 1024, exponent.count <= 1024 else { throw KeyRefusal("the RSA key is too long") }
        try self.init(subjectPublicKeyInfo: SubjectPublicKeyInfo.rsa(modulus: modulus, exponent: exponent))
    }

    /// Creates a key from a point on a NIST curve (RFC 7518 section 6.2.1).
    ///
    /// - Parameters:
    ///   - kind: `p256`, `p384` or `p521`.
    ///   - x: big-endian, exactly as long as the curve's field elements.
    ///   - y: like `x`.
    package init(curve kind: Kind, x: [UInt8], y: [UInt8]) throws(KeyRefusal) {
        guard let count = kind.coordinateByteCount, let curve = kind.curveIdentifier else {
            throw KeyRefusal("the curve must be P-256, P-384 or P-521")
        }
        guard x.count == count, y.count == count else {
            throw KeyRefusal("the coordinates do not have the length that the curve requires")
        }
        try self.init(subjectPublicKeyInfo: SubjectPublicKeyInfo.point(curve, x, y))
    }

    /// Creates an Ed25519 key (RFC 8037 section 2) from the 32 bytes of its encoding (RFC 8032 section 5.1.5).
    package init(ed25519 bytes: [UInt8]) throws(KeyRefusal) {
        guard bytes.count == Ed25519Point.byteCount else { throw KeyRefusal("an Ed25519 key must have 32 bytes") }
        try self.init(subjectPublicKeyInfo: SubjectPublicKeyInfo.ed25519(bytes))
    }

    /// Whether the signature of a message is valid. False if the algorithm requires another kind of key.
    ///
    /// - Parameter signature: in the form of JSON Web Signature; for ECDSA two numbers of full length.
    package func verify(_ algorithm: SignatureAlgorithm, signature: Span<UInt8>, message: Span<UInt8>) -> Bool {
        guard algorithm.keyKind == kind else { return false }
        switch material {
        case .secret(let secret):
            return MessageAuthentication.verify(algorithm, signature: signature, message: message, secret: secret)
        case .publicKey(let key):
            guard let count = kind.coordinateByteCount else {
                return key.verify(algorithm, signature: signature, message: message)
            }
            guard let der = ECDSASignature.der(signature, coordinateByteCount: count) else { return false }
            return key.verify(algorithm, signature: der.span, message: message)
        }
    }
}

extension VerificationKey.Kind {
    /// The size in bytes of a coordinate and of each number of a signature; nil unless the kind is a NIST curve.
    var coordinateByteCount: Int? {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        case .rsa, .ed25519, .secret: nil
        }
    }

    /// The curve's object identifier in DER (RFC 5480 section 2.1.1.1).
    var curveIdentifier: [UInt8]? {
        switch self {
        case .p256: [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        case .p384: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
        case .p521: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23]
        case .rsa, .ed25519, .secret: nil
        }
    }
}

/// The reason why a key is not accepted for verification. A literal, so it never contains key material.
package struct KeyRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// One line, without a capital letter or a full stop.
    package let reason: String

    package init(_ reason: StaticString) {
        self.reason = reason.description
    }

    package var description: String { reason }
}

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
