import Testing
import Text

@Suite("Base64 and hexadecimal")
struct Base64Tests {
    @Test("Every length is decoded in both alphabets, and only in its own", arguments: 0..<70)
    func roundTrip(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 251) }
        let (standard, url) = (Base64.encode(bytes), Base64.encode(bytes, .url))
        #expect(Base64.decode(standard.utf8.span) == bytes)
        #expect(Base64.decode(url.utf8.span, .url) == bytes)
        let translated = String(standard.compactMap { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 == "=" ? nil : $0 })
        #expect(url == translated)
    }

    @Test("Every character encodes its value")
    func characters() {
        let bytes: [UInt8] = [0x00, 0x10, 0x83, 0xFB, 0xEF, 0xFF]
        #expect(Base64.encode(bytes) == "ABCD++//")
        #expect(Base64.encode(bytes, .url) == "ABCD--__")
        #expect(Base64.decode("ABCD--__".utf8.span) == nil)
        #expect(Base64.decode("ABCD++//".utf8.span, .url) == nil)
    }

    @Test(
        "Only canonical base64 is decoded",
        arguments: [
            "A", "AA", "AAA", "AA=A", "A===", "AB==", "AAB=", "AA= ", "AA\n=", "AAAA====", "A-__", "====", "=AAA", "=",
            "AAAAA", "AAAA=", "AAAA AAA",
        ])
    func standard(_ text: String) {
        #expect(Base64.decode(text.utf8.span) == nil)
    }

    @Test(
        "Only canonical base64 without padding is decoded",
        arguments: ["A", "AA==", "AAA=", "AB", "AAB", "A A", "AA\n", "A+//", "AAAAA", "=", "AA\u{0}"])
    func url(_ text: String) {
        #expect(Base64.decode(text.utf8.span, .url) == nil)
    }

    @Test("Two hexadecimal digits of either case are one byte")
    func hexadecimal() {
        for byte in UInt8.min...UInt8.max {
            let text = Array(Hexadecimal.encode([byte]).utf8)
            let upper = Array(Hexadecimal.encode([byte]).uppercased().utf8)
            #expect(UInt8(hexadecimal: text[0], text[1]) == byte)
            #expect(UInt8(hexadecimal: upper[0], upper[1]) == byte)
        }
        for other in "/:@G`g -%".utf8 {
            #expect(UInt8(hexadecimal: other, UInt8(ascii: "0")) == nil)
            #expect(UInt8(hexadecimal: UInt8(ascii: "0"), other) == nil)
        }
    }
}
