/// The three cyclic redundancy checks of S3, computed eight bytes per step ("slicing by 8").
///
/// Parameters: Catalogue of parametrised CRC algorithms (CRC-32/ISO-HDLC, CRC-32/ISCSI, CRC-64/NVME). All three are
/// reflected, start with all bits set and invert the result, so one 64-bit register serves them all.
package struct CyclicRedundancyCheck: Sendable {
    package enum Variant: Sendable, CaseIterable {
        /// The CRC of Ethernet, zip and zlib.
        case crc32
        /// The Castagnoli CRC of iSCSI.
        case crc32c
        /// The CRC of NVM Express.
        case crc64nvme

        /// The size of the result in bytes.
        package var byteCount: Int { self == .crc64nvme ? 8 : 4 }
    }

    private static let crc32Table = table(polynomial: 0xEDB8_8320)
    private static let crc32cTable = table(polynomial: 0x82F6_3B78)
    private static let crc64nvmeTable = table(polynomial: 0x9A6C_9329_AC4B_C9B5)

    private let mask: UInt64
    private let byteCount: Int
    private let table: [UInt64]
    private var register: UInt64

    /// Creates a check of an empty message.
    package init(_ variant: Variant) {
        byteCount = variant.byteCount
        mask = variant == .crc64nvme ? .max : 0xFFFF_FFFF
        register = mask
        table =
            switch variant {
            case .crc32: Self.crc32Table
            case .crc32c: Self.crc32cTable
            case .crc64nvme: Self.crc64nvmeTable
            }
    }

    /// Adds bytes to the message.
    package mutating func update(_ bytes: Span<UInt8>) {
        // A local array, because its span must not borrow `self` while the register changes.
        let values = table
        let table = values.span
        var value = register
        var index = 0
        while index + 8 <= bytes.count {
            for offset in 0..<8 { value ^= UInt64(bytes[index + offset]) << UInt64(8 * offset) }
            var next: UInt64 = 0
            for offset in 0..<8 {
                next ^= table[(7 - offset) << 8 | Int(truncatingIfNeeded: value >> UInt64(8 * offset) & 0xFF)]
            }
            value = next
            index += 8
        }
        while index < bytes.count {
            value = table[Int(truncatingIfNeeded: (value ^ UInt64(bytes[index])) & 0xFF)] ^ value >> 8
            index += 1
        }
        register = value
    }

    /// Returns the check of the message so far, most significant byte first as S3 expects it. More bytes may follow.
    package func digest() -> [UInt8] {
        let value = register ^ mask
        return (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }

    /// Eight consecutive tables: the effect of one byte on the register, followed by 0...7 more bytes.
    private static func table(polynomial: UInt64) -> [UInt64] {
        var table = [UInt64](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var value = UInt64(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ polynomial : value >> 1 }
            table[byte] = value
        }
        for index in 256..<table.count {
            let previous = table[index - 256]
            table[index] = table[Int(previous & 0xFF)] ^ previous >> 8
        }
        return table
    }
}
