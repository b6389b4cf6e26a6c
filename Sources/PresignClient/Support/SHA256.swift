import Foundation

#if canImport(CryptoKit)
    import CryptoKit

    private typealias SystemSHA256 = CryptoKit.SHA256
#else
    private typealias SystemSHA256 = PortableSHA256
#endif

/// SHA-256 of data that arrives in pieces: CryptoKit's on Apple systems, otherwise ``PortableSHA256``.
struct SHA256Digest {
    private var hash = SystemSHA256()

    mutating func update(_ data: Data) { hash.update(data: data) }

    /// The digest of all pieces in Base64, which is how S3 writes it.
    consuming func base64() -> String { Data(hash.finalize()).base64EncodedString() }
}

extension SHA256Digest {
    /// Returns the digest in Base64.
    static func base64(of data: Data) -> String {
        var digest = SHA256Digest()
        digest.update(data)
        return digest.base64()
    }
}

/// SHA-256 (FIPS 180-4) for systems without CryptoKit. Holds no secrets, so it need not run in constant time.
struct PortableSHA256 {
    private static let blockSize = 64

    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    /// The message schedule, reused for each block.
    private var schedule = [UInt32](repeating: 0, count: 64)
    /// The bytes that do not fill a block yet.
    private var rest: [UInt8] = []
    private var length: UInt64 = 0

    mutating func update(data: some Sequence<UInt8>) {
        rest.append(contentsOf: data)
        let whole = rest.count - rest.count % Self.blockSize
        length += UInt64(whole)
        for start in stride(from: 0, to: whole, by: Self.blockSize) { process(rest, at: start) }
        rest.removeFirst(whole)
    }

    /// Returns the 32 bytes of the digest.
    consuming func finalize() -> [UInt8] {
        let bits = (length + UInt64(rest.count)) * 8
        var last = rest
        last.append(0x80)
        while last.count % Self.blockSize != Self.blockSize - 8 { last.append(0) }
        last.append(contentsOf: bigEndianBytes(bits))
        for start in stride(from: 0, to: last.count, by: Self.blockSize) { process(last, at: start) }
        return state.flatMap(bigEndianBytes)
    }

    /// The compression function (section 6.2.2).
    private mutating func process(_ bytes: [UInt8], at start: Int) {
        fillSchedule(bytes, at: start)
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for round in 0..<64 {
            let sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ sum1 &+ choice &+ Self.constants[round] &+ schedule[round]
            let sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }

    private mutating func fillSchedule(_ bytes: [UInt8], at start: Int) {
        for word in 0..<16 {
            let index = start + 4 * word
            schedule[word] =
                UInt32(bytes[index]) << 24 | UInt32(bytes[index + 1]) << 16 | UInt32(bytes[index + 2]) << 8
                | UInt32(bytes[index + 3])
        }
        for word in 16..<64 {
            let (before15, before2) = (schedule[word - 15], schedule[word - 2])
            let sigma0 = rotated(before15, 7) ^ rotated(before15, 18) ^ (before15 >> 3)
            let sigma1 = rotated(before2, 17) ^ rotated(before2, 19) ^ (before2 >> 10)
            schedule[word] = schedule[word - 16] &+ sigma0 &+ schedule[word - 7] &+ sigma1
        }
    }

    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

private func rotated(_ value: UInt32, _ bits: UInt32) -> UInt32 { value >> bits | value << (32 - bits) }

private func bigEndianBytes(_ value: some FixedWidthInteger) -> [UInt8] {
    stride(from: value.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
}
