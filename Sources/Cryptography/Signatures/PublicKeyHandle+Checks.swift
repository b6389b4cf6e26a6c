import COpenSSL

extension PublicKeyHandle {
    /// Returns the kind of the key.
    ///
    /// - Throws: if the kind is not supported, or the key is weak or invalid.
    func checkedKind() throws(KeyRefusal) -> VerificationKey.Kind {
        defer { ERR_clear_error() }
        // unsafe, in this file: the key lives as long as this object and is only read.
        switch unsafe EVP_PKEY_get_base_id(key) {
        case EVP_PKEY_RSA:
            try checkRSA()
            return .rsa
        case EVP_PKEY_EC: return try checkedCurve()
        case EVP_PKEY_ED25519:
            try checkEd25519()
            return .ed25519
        default: throw KeyRefusal("the key type is not supported; use RSA, P-256, P-384, P-521 or Ed25519")
        }
    }

    private func checkRSA() throws(KeyRefusal) {
        switch unsafe EVP_PKEY_get_bits(key) {
        case ..<2048: throw KeyRefusal("an RSA key must have at least 2048 bits")
        case 8193...: throw KeyRefusal("an RSA key may have at most 8192 bits")
        default: break
        }
        // unsafe: OpenSSL allocates the number, which is freed below.
        var exponent: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(key, "e", &exponent) == 1, let exponent = unsafe exponent else {
            throw KeyRefusal("the RSA key has no exponent")
        }
        let (isOdd, bits) = unsafe (BN_is_odd(exponent) == 1, BN_num_bits(exponent))
        unsafe BN_free(exponent)
        // With the exponent 1, every message is its own signature. Small exponents have enabled forgeries.
        guard isOdd, 17...64 ~= bits else {
            throw KeyRefusal("the exponent of an RSA key must be odd, at least 65537 and at most 64 bits long")
        }
        try checkSoundness()
    }

    private func checkedCurve() throws(KeyRefusal) -> VerificationKey.Kind {
        var isExplicit: CInt = 0
        // Explicit curve parameters can contain a generator chosen by an attacker (CVE-2020-0601).
        guard unsafe EVP_PKEY_get_int_param(key, "decoded-from-explicit", &isExplicit) == 1, isExplicit == 0 else {
            throw KeyRefusal("the elliptic curve must be named instead of given by explicit parameters")
        }
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1 else {
            throw KeyRefusal("the elliptic curve has no name")
        }
        let kind: VerificationKey.Kind
        switch String(decoding: name.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) {
        case "prime256v1": kind = .p256
        case "secp384r1": kind = .p384
        case "secp521r1": kind = .p521
        default: throw KeyRefusal("the curve must be P-256, P-384 or P-521")
        }
        try checkSoundness()
        return kind
    }

    private func checkEd25519() throws(KeyRefusal) {
        var bytes = [UInt8](repeating: 0, count: Ed25519Point.byteCount)
        var count = bytes.count
        // unsafe: OpenSSL writes at most `count` bytes, for which the array has room.
        guard unsafe EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1, count == bytes.count,
            Ed25519Point.isAcceptable(bytes)
        else { throw KeyRefusal("the Ed25519 key is not a canonical point of large order") }
    }

    /// Checks that an RSA modulus is odd, composite and free of small factors, or that a point is on its curve and has
    /// the curve's order.
    private func checkSoundness() throws(KeyRefusal) {
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else {
            throw KeyRefusal("OpenSSL could not check the key")
        }
        let isSound = unsafe EVP_PKEY_public_check(context) == 1
        unsafe EVP_PKEY_CTX_free(context)
        guard isSound else { throw KeyRefusal("the key is not valid") }
    }
}

/// Checks of an Ed25519 public key that OpenSSL does not make.
enum Ed25519Point {
    static let byteCount = 32

    /// Whether the bytes are acceptable as a key: less than the field's prime, and not a point of small order. Anyone
    /// can forge signatures for a point of small order.
    static func isAcceptable(_ key: [UInt8]) -> Bool {
        guard key.count == byteCount else { return false }
        var y = key
        // The high bit is the sign of x. A point has small order with either sign.
        y[31] &= 0x7F
        let isBelowPrime = y[0] < 0xED || y[31] < 0x7F || y[1..<31].contains { $0 != 0xFF }
        return isBelowPrime && !smallOrder.contains(y)
    }

    /// The y coordinates of all points whose order divides 8: 0, 1, -1, and the two of order 8.
    private static let smallOrder: [[UInt8]] = [
        [UInt8](repeating: 0, count: 32),
        [1] + [UInt8](repeating: 0, count: 31),
        [0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        [
            0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0,
            0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
        ],
        [
            0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F,
            0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
        ],
    ]
}
