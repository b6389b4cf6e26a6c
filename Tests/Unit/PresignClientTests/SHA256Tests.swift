import Foundation
import Testing

@testable import PresignClient

@Suite("SHA-256 without CryptoKit")
struct SHA256Tests {
    /// FIPS 180-4's examples, and messages of NIST's CAVP (SHA256ShortMsg.rsp).
    static let vectors: [(message: [UInt8], digest: String)] = [
        ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ([0xd3], "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1"),
        ([0x11, 0xaf], "5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98"),
        (Array("abc".utf8), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            Array(
                ("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                    + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu").utf8),
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (
            Array(repeating: UInt8(ascii: "a"), count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ]

    @Test("NIST's vectors", arguments: vectors)
    func nist(message: [UInt8], digest: String) {
        var hash = PortableSHA256()
        hash.update(data: message)
        #expect(hexadecimal(hash.finalize()) == digest)
    }

    @Test("every length up to three blocks, in pieces of every size: coreutils has computed the sum of all digests")
    func lengths() {
        var all = PortableSHA256()
        for length in 0...192 {
            let message = (0..<length).map { UInt8($0) }
            var hash = PortableSHA256()
            for start in stride(from: 0, to: length, by: length % 70 + 1) {
                hash.update(data: message[start..<min(length, start + length % 70 + 1)])
            }
            all.update(data: hash.finalize())
        }
        #expect(hexadecimal(all.finalize()) == "79eb9ac3f5b94a477808fa851afb214408e787ed21459d0503b2fac4a445fee6")
    }

    @Test("the digest that is used is in Base64")
    func base64() {
        #expect(SHA256Digest.base64(of: Data("abc".utf8)) == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
