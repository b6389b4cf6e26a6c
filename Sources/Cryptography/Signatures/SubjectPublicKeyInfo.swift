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
