import Testing
import Text

@Suite struct EncodingTests {
    @Test(
        "RFC 4648, section 10",
        arguments: [
            ("", "", ""), ("f", "Zg==", "66"), ("fo", "Zm8=", "666f"), ("foo", "Zm9v", "666f6f"),
            ("foob", "Zm9vYg==", "666f6f62"), ("fooba", "Zm9vYmE=", "666f6f6261"),
            ("foobar", "Zm9vYmFy", "666f6f626172"),
        ])
    func examples(text: String, base64: String, hexadecimal: String) {
        let bytes = Array(text.utf8)
        #expect(Base64.encode(bytes) == base64)
        #expect(Hexadecimal.encode(bytes) == hexadecimal)
        #expect(Hexadecimal.decode(hexadecimal.utf8) == bytes)
        #expect(Hexadecimal.decode(hexadecimal.uppercased().utf8) == bytes)
    }

    @Test func base64UsesEveryCharacter() {
        #expect(Base64.encode([0xfb, 0xef, 0xff, 0x00, 0x10, 0x83]) == "++//ABCD")
    }

    @Test(arguments: ["0", "0g", "g0", " 00", "0x00", "00\n"])
    func rejectsInvalidHexadecimal(text: String) {
        #expect(Hexadecimal.decode(text.utf8) == nil)
    }
}
