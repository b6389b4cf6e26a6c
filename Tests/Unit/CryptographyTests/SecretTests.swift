import Cryptography
import Testing

@Suite struct SecretTests {
    @Test(
        arguments: [
            ("", "", true), ("a", "a", true), ("a", "b", false), ("a", "aa", false), ("", "a", false),
            ("\u{e9}", "e\u{301}", false),
        ])
    func constantTimeEquality(left: String, right: String, isEqual: Bool) {
        let (first, second) = (Array(left.utf8), Array(right.utf8))
        #expect(constantTimeEqual(first, second) == isEqual)
        #expect((SecretBytes(first) == SecretBytes(second)) == isEqual)
    }

    @Test("A single differing bit is detected at every index", arguments: 1...40)
    func everyIndex(length: Int) {
        let text = [UInt8](repeating: 0x61, count: length)
        #expect(constantTimeEqual(text, text))
        for bit in 0..<(8 * length) {
            var other = text
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!constantTimeEqual(text, other))
        }
    }

    @Test func detectsEveryFlippedBit() {
        let code = SHA256.hash(Array("abc".utf8))
        for bit in 0..<256 {
            var bytes = code.bytes
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(SHA256Digest(bytes) != code)
        }
        #expect(SHA256Digest(code.bytes) == code)
        #expect(SHA256Digest(Array(code.bytes.dropLast())) == nil)
    }

    @Test func secretBytesAreKeptAndNotPrinted() {
        let secret = SecretBytes(Array("hunter2".utf8))
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(secret.withBytes { span in span.indices.map { span[$0] } } == Array("hunter2".utf8))
        #expect(secret.count == 7)
        #expect(!"\(secret)\(String(reflecting: secret))\(dumped)".contains("hunter2"))
    }

    @Test func randomBytesDiffer() throws {
        let draws = try (0..<16).map { _ in try SecureRandom.bytes(count: 32) }
        #expect(Set(draws).count == draws.count)
        #expect(draws.allSatisfy { $0.count == 32 })
        #expect(try SecureRandom.bytes(count: 0).isEmpty)
    }

    /// The system returns at most 256 bytes per call. The probability that 16 bytes all stay 0 is 2^-128.
    @Test(arguments: [255, 256, 257, 512, 1000])
    func fillsEveryRandomByte(count: Int) throws {
        let bytes = try SecureRandom.bytes(count: count)
        #expect(bytes.count == count)
        for start in stride(from: 0, through: count - 16, by: 16) {
            #expect(bytes[start..<start + 16].contains { $0 != 0 })
        }
        #expect(bytes.suffix(16).contains { $0 != 0 })
    }
}
