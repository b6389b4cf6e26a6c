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
