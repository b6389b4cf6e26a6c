import Cryptography
import Testing
import Text

@Suite("Checksums")
struct ChecksumTests {
    struct Case: Sendable {
        let variant: CyclicRedundancyCheck.Variant
        let text: String
        let hex: String
    }

    /// The check values of the catalogue of parametrised CRC algorithms, and of RFC 3720 B.4 for 32 zero bytes.
    static let cases = [
        Case(variant: .crc32, text: "123456789", hex: "cbf43926"),
        Case(variant: .crc32c, text: "123456789", hex: "e3069283"),
        Case(variant: .crc64nvme, text: "123456789", hex: "ae8b14860a799888"),
        Case(variant: .crc32, text: "", hex: "00000000"),
        Case(variant: .crc64nvme, text: "", hex: "0000000000000000"),
        Case(variant: .crc32c, text: String(repeating: "\0", count: 32), hex: "8a9136aa"),
    ]

    @Test("The three CRC algorithms return their published check values", arguments: cases)
    func published(_ example: Case) {
        var check = CyclicRedundancyCheck(example.variant)
        check.update(Array(example.text.utf8).span)
        #expect(Hexadecimal.encode(check.digest()) == example.hex)
    }

    @Test("A digest does not depend on how the message is split", arguments: 0..<64)
    func pieces(_ cut: Int) {
        let message = (0..<64).map { UInt8($0 * 7 & 0xFF) }
        let (head, tail) = (Array(message[..<cut]), Array(message[cut...]))
        for variant in CyclicRedundancyCheck.Variant.allCases {
            var (whole, split) = (CyclicRedundancyCheck(variant), CyclicRedundancyCheck(variant))
            whole.update(message.span)
            split.update(head.span)
            split.update(tail.span)
            #expect(whole.digest() == split.digest())
            #expect(whole.digest().count == variant.byteCount)
        }
        var (md5, sha1) = (InsecureHash(.md5), InsecureHash(.sha1))
        for piece in [head, tail] {
            md5.update(piece.span)
            sha1.update(piece.span)
        }
        #expect(md5.digest() == InsecureHash.hash(message, .md5))
        #expect(sha1.digest() == InsecureHash.hash(message, .sha1))
    }

    @Test("MD5 and SHA-1 return the digests of their standards")
    func digests() {
        // RFC 1321, A.5; the FIPS 180-4 example "abc".
        #expect(Hexadecimal.encode(InsecureHash.hash(Array("abc".utf8), .md5)) == "900150983cd24fb0d6963f7d28e17f72")
        let sha1 = InsecureHash.hash(Array("abc".utf8), .sha1)
        #expect(Hexadecimal.encode(sha1) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    }
}
