import Cryptography
import Testing
import Text

@Suite struct AES256GCMTests {
    struct Example: Sendable {
        let key: String
        let nonce: String
        let message: String
        let header: String
        let sealed: String
    }

    /// McGrew and Viega, "The Galois/Counter Mode of Operation (GCM)", test cases 13, 14 and 16.
    static let examples = [
        Example(
            key: String(repeating: "00", count: 32), nonce: String(repeating: "00", count: 12), message: "",
            header: "", sealed: "530f8afbc74536b9a963b4f1c4cb738b"),
        Example(
            key: String(repeating: "00", count: 32), nonce: String(repeating: "00", count: 12),
            message: String(repeating: "00", count: 16), header: "",
            sealed: "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"),
        Example(
            key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
            nonce: "cafebabefacedbaddecaf888",
            message: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525"
                + "b16aedf5aa0de657ba637b39",
            header: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            sealed: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838"
                + "c5f61e6393ba7a0abcc9f662" + "76fc6ece0f4e1768cddf8853bb2d551b"),
    ]

    private static func bytes(_ text: String) throws -> [UInt8] { try #require(Hexadecimal.decode(text.utf8)) }

    @Test("Seals and opens the published test cases", arguments: examples)
    func published(_ example: Example) throws {
        let cipher = try #require(AES256GCM(key: Self.bytes(example.key)))
        let (nonce, header) = (try Self.bytes(example.nonce), try Self.bytes(example.header))
        let message = try Self.bytes(example.message)
        let sealed = try #require(cipher.seal(message, nonce: nonce, header: header))
        #expect(Hexadecimal.encode(sealed) == example.sealed)
        #expect(cipher.open(sealed[...], nonce: nonce, header: header) == message)
    }

    @Test("Does not open a changed message, tag, nonce or header, or with another key")
    func changed() throws {
        let key = [UInt8](repeating: 7, count: 32)
        let cipher = try #require(AES256GCM(key: key))
        let (nonce, header, message) = ([UInt8](repeating: 1, count: 12), [UInt8](1...20), [UInt8](1...50))
        let sealed = try #require(cipher.seal(message, nonce: nonce, header: header))
        let opens = { (sealed: [UInt8], nonce: [UInt8], header: [UInt8]) in
            cipher.open(sealed[...], nonce: nonce, header: header) != nil
        }
        for index in sealed.indices { #expect(!opens(flipped(sealed, index), nonce, header)) }
        for index in nonce.indices { #expect(!opens(sealed, flipped(nonce, index), header)) }
        for index in header.indices { #expect(!opens(sealed, nonce, flipped(header, index))) }
        for count in 0..<sealed.count { #expect(!opens(Array(sealed.prefix(count)), nonce, header)) }
        #expect(!opens(sealed, nonce, header + [0]) && !opens(sealed + [0], nonce, header))
        let other = try #require(AES256GCM(key: flipped(key, 31)))
        #expect(other.open(sealed[...], nonce: nonce, header: header) == nil)
        #expect(opens(sealed, nonce, header))
    }

    @Test("A key has 32 bytes")
    func keySize() {
        for count in [0, 16, 31, 33] { #expect(AES256GCM(key: [UInt8](repeating: 0, count: count)) == nil) }
    }

    private func flipped(_ bytes: [UInt8], _ index: Int) -> [UInt8] {
        var bytes = bytes
        bytes[index] ^= 0x80
        return bytes
    }
}
