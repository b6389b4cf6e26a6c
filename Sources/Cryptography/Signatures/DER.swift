/// The subset of DER (ITU-T X.690) needed to write public keys and signatures.
enum DER {
    static let sequence: UInt8 = 0x30
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03

    /// Returns an element: the tag, the length in its shortest form, and the content.
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var element = [tag]
        if content.count < 0x80 {
            element.append(UInt8(content.count))
        } else {
            let digits = bigEndian(content.count)
            element.append(0x80 | UInt8(digits.count))
            element += digits
        }
        return element + content
    }

    /// Returns a non-negative INTEGER from its big-endian bytes. Leading zeros are dropped.
    static func unsigned(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let digits = bytes.drop { $0 == 0 }
        // A set high bit would make the number negative.
        let sign: [UInt8] = (digits.first ?? 0x80) & 0x80 == 0 ? [] : [0]
        return element(integer, sign + digits)
    }

    /// Whether the bytes are exactly one element: none are missing, and none follow it.
    static func isOneElement(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 2 else { return false }
        guard bytes[1] >= 0x80 else { return bytes.count == 2 + Int(bytes[1]) }
        let digits = Int(bytes[1] & 0x7F)
        guard 1...4 ~= digits, bytes.count >= 2 + digits else { return false }
        return bytes.count == 2 + digits + bytes[2..<2 + digits].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        var (digits, rest): ([UInt8], Int) = ([], number)
        while rest > 0 {
            digits.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        }
        return digits
    }
}

/// Encodes public keys as X.509 SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7).
///
/// OpenSSL copies this encoding. Its other interface, named parameters, keeps pointers to the caller's memory.
enum SubjectPublicKeyInfo {
    /// Encodes an RSA key (RFC 8017 section A.1.1).
    static func rsa(modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
        let key = DER.element(DER.sequence, DER.unsigned(modulus) + DER.unsigned(exponent))
        // rsaEncryption with NULL parameters.
        return info([0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00], key)
    }

    /// Encodes an uncompressed point of a named curve (RFC 5480 section 2).
    static func point(_ curveIdentifier: [UInt8], _ x: [UInt8], _ y: [UInt8]) -> [UInt8] {
        // id-ecPublicKey.
        info([0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01] + curveIdentifier, [0x04] + x + y)
    }

    /// Encodes an Ed25519 key (RFC 8410 section 4).
    static func ed25519(_ key: [UInt8]) -> [UInt8] {
        info([0x06, 0x03, 0x2B, 0x65, 0x70], key)
    }

    private static func info(_ algorithm: [UInt8], _ key: [UInt8]) -> [UInt8] {
        DER.element(
            DER.sequence,
            // The first byte of a BIT STRING is the number of unused bits in its last byte.
            DER.element(DER.sequence, algorithm) + DER.element(DER.bitString, [0] + key))
    }
}

/// Conversion of ECDSA signatures.
enum ECDSASignature {
    /// Converts a signature from JSON Web Signature's form, two numbers of full length (RFC 7518 section 3.4), to DER
    /// (RFC 3279 section 2.2.3), which OpenSSL reads. Does not check the range of the numbers.
    ///
    /// - Returns: nil if the length is wrong for the curve.
    static func der(_ raw: Span<UInt8>, coordinateByteCount count: Int) -> [UInt8]? {
        guard raw.count == 2 * count else { return nil }
        let bytes = raw.indices.map { raw[$0] }
        return DER.element(DER.sequence, DER.unsigned(bytes[..<count]) + DER.unsigned(bytes[count...]))
    }
}
