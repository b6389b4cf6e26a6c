import Cryptography
import Testing
import Text

@Suite struct MD5Tests {
    @Test(
        "RFC 1321, section A.5",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ])
    func md5(text: String, digest: String) {
        #expect(Hexadecimal.encode(InsecureHash.hash(Array(text.utf8), .md5)) == digest)
    }
}
