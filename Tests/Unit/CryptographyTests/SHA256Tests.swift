import Cryptography
import Testing
import Text

@Suite struct SHA256Tests {
    @Test(
        "FIPS 180-4 examples",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func examples(message: String, digest: String) {
        #expect(Hexadecimal.encode(SHA256.hash(Array(message.utf8)).bytes) == digest)
    }

    @Test func millionOfA() {
        var state = SHA256()
        let thousand = [UInt8](repeating: 0x61, count: 1000)
        for _ in 0..<1000 { state.update(thousand.span) }
        let digest = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        #expect(Hexadecimal.encode(state.digest().bytes) == digest)
    }

    @Test func incrementalEqualsOneShotAtEverySplit() {
        let message = (0..<200).map { UInt8($0) }
        for split in 0...message.count {
            var state = SHA256()
            state.update(Array(message[..<split]).span)
            // Reading a digest must not change the state.
            #expect(state.digest() == SHA256.hash(Array(message[..<split])), "\(split) bytes")
            state.update(Array(message[split...]).span)
            #expect(state.digest() == SHA256.hash(message), "split at \(split)")
        }
    }
}
