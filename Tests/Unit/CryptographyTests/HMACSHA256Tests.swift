import Cryptography
import Testing
import Text

@Suite struct HMACSHA256Tests {
    struct Example: Sendable {
        let key: [UInt8]
        let message: [UInt8]
        let code: String
    }

    /// RFC 4231, test cases 1 to 4, 6 and 7. Case 5 tests truncated output, which is not supported.
    static let examples = [
        Example(
            key: [UInt8](repeating: 0x0b, count: 20), message: Array("Hi There".utf8),
            code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        Example(
            key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8),
            code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        Example(
            key: [UInt8](repeating: 0xaa, count: 20), message: [UInt8](repeating: 0xdd, count: 50),
            code: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        Example(
            key: (1...25).map { UInt8($0) }, message: [UInt8](repeating: 0xcd, count: 50),
            code: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        Example(
            key: [UInt8](repeating: 0xaa, count: 131),
            message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        Example(
            key: [UInt8](repeating: 0xaa, count: 131),
            message: Array(
                ("This is a test using a larger than block-size key and a larger than block-size data. "
                    + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
            code: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
    ]

    @Test(arguments: examples.indices)
    func rfc4231(_ index: Int) {
        let example = Self.examples[index]
        let code = HMACSHA256(key: example.key).authenticationCode(for: example.message)
        #expect(Hexadecimal.encode(code.bytes) == example.code)
    }

    @Test("Continuing from a saved prefix gives the same code, wherever the message is split")
    func continuing() {
        let key = HMACSHA256(key: Array("Jefe".utf8))
        let message = (0..<150).map { UInt8($0) }
        for end in 0...message.count {
            let (beginning, rest) = (Array(message[..<end]), Array(message[end...]))
            let code = key.continuing(after: beginning.span).authenticationCode(for: rest)
            #expect(code == key.authenticationCode(for: message))
        }
    }

    @Test func keysAroundTheBlockSizeDiffer() {
        let keys = (62...67).map { HMACSHA256(key: [UInt8](repeating: 7, count: $0)) }
        let codes = keys.map { $0.authenticationCode(for: []).bytes }
        #expect(Set(codes).count == codes.count)
    }

    @Test func hidesItsKey() {
        let key = HMACSHA256(key: Array("Jefe".utf8))
        var dumped = ""
        dump(key, to: &dumped)
        #expect("\(key)" == "HMACSHA256(redacted)")
        #expect(!dumped.contains("context"))
    }
}
