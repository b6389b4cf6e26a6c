/// A key that signatures are verified with: a public key, or the secret of an HMAC. Checked when it is made.
package struct VerificationKey: Sendable {
    /// What a key is; each algorithm goes with one kind.
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

    /// The shortest secret that is taken, bytes (RFC 8725 section 3.5; what HS256 asks for in RFC 7518 section 3.2).
    package static let shortestSecret = 32

    /// What it is.
    package let kind: Kind
    private let material: Material

    /// A public key as a SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7).
    package init(subjectPublicKeyInfo der: [UInt8]) throws(KeyRefusal) {
        try self.init(PublicKeyHandle(subjectPublicKeyInfo: der))
    }

    package init(_ handle: PublicKeyHandle) throws(KeyRefusal) {
        kind = try handle.checkedKind()
        material = .publicKey(handle)
    }

    /// The secret of an HMAC, which is used as it is.
    ///
    /// - Throws: when it has fewer than 32 bytes.
    package init(secret: SecretBytes) throws(KeyRefusal) {
        guard secret.count >= Self.shortestSecret else { throw KeyRefusal("a secret needs at least 32 bytes") }
        kind = .secret
        material = .secret(secret)
    }

    /// An RSA key (RFC 7518 section 6.3.1).
    ///
    /// - Parameters:
    ///   - modulus: big-endian; of 2048 to 8192 bits.
    ///   - exponent: big-endian; odd, from 65537 (FIPS 186-5 section 5.1) and of at most 64 bits.
    package init(rsaModulus modulus: [UInt8], exponent: [UInt8]) throws(KeyRefusal) {
        guard modulus.count <= 1024, exponent.count <= 1024 else { throw KeyRefusal("the RSA key is too long") }
        try self.init(subjectPublicKeyInfo: SubjectPublicKeyInfo.rsa(modulus: modulus, exponent: exponent))
    }

    /// A point of one of the NIST curves (RFC 7518 section 6.2.1).
    ///
    /// - Parameters:
    ///   - kind: `p256`, `p384` or `p521`.
    ///   - x: big-endian, exactly as long as the field.
    ///   - y: as `x`.
    package init(curve kind: Kind, x: [UInt8], y: [UInt8]) throws(KeyRefusal) {
        guard let count = kind.coordinateByteCount, let curve = kind.curveIdentifier else {
            throw KeyRefusal("the curve is not P-256, P-384 or P-521")
        }
        guard x.count == count, y.count == count else {
            throw KeyRefusal("the coordinates have not the length of the curve")
        }
        try self.init(subjectPublicKeyInfo: SubjectPublicKeyInfo.point(curve, x, y))
    }

    /// An Ed25519 key (RFC 8037 section 2): the 32 bytes of RFC 8032.
    package init(ed25519 bytes: [UInt8]) throws(KeyRefusal) {
        guard bytes.count == Ed25519Point.byteCount else { throw KeyRefusal("an Ed25519 key has 32 bytes") }
        try self.init(subjectPublicKeyInfo: SubjectPublicKeyInfo.ed25519(bytes))
    }

    /// Whether a signature is the key's over a message.
    ///
    /// - Parameters:
    ///   - algorithm: false unless it goes with the kind of key.
    ///   - signature: as JSON Web Signature has it; ECDSA's are the two numbers one after the other, full length.
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
    /// Bytes of one coordinate, and of each number of a signature; nil for what is no NIST curve.
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
