import Testing

@testable import DataFormats

@Suite("Writing JSON")
struct JSONWritingTests {
    @Test(
        "Strings are escaped to one line of valid UTF-8",
        arguments: [
            ("", #""""#), ("a/b c", #""a/b c""#), ("\"\\", #""\"\\""#), ("\n\r\t", #""\n\r\t""#),
            ("\u{0}\u{1f}\u{7f}", #""\u0000\u001f\u007f""#), ("\u{2028}\u{2029}", #""\u2028\u2029""#),
            ("\u{80}\u{9b}31m\u{202e}\u{2066}\u{200f}", #""\u0080\u009b31m\u202e\u2066\u200f""#),
            ("e\u{301} \u{e9} \u{1F600}", "\"e\u{301} \u{e9} \u{1F600}\""), ("é\n", #""é\n""#),
        ])
    func strings(text: String, written: String) {
        var bytes: [UInt8] = []
        bytes.appendJSON(string: text)
        #expect(bytes == Array(written.utf8))
    }

    @Test(
        "Invalid bytes become U+FFFD",
        arguments: [
            [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0x61, 0x80, 0x62], [0xF0, 0x9F, 0x98],
            [0x61, 0x61, 0x61, 0xFF, 0x61, 0x61, 0x61, 0x61], [UInt8](repeating: 0xFF, count: 16),
            [0x61, 0xFF, 0xFE, 0x61, 0x61, 0x61, 0x61, 0x61], [UInt8](repeating: 0x80, count: 8),
        ] as [[UInt8]])
    func invalidBytes(_ input: [UInt8]) throws {
        var bytes: [UInt8] = []
        bytes.appendJSON(string: input)
        let text = try #require(String(validating: bytes, as: UTF8.self))
        #expect(text.unicodeScalars.contains("\u{FFFD}"))
        #expect(try JSONValue(parsing: bytes).string == Array(text.utf8.dropFirst().dropLast()))
    }

    @Test func writesArraysAndStringsTheSame() {
        let text = Array("a\n\u{e9}".utf8)
        var written: [[UInt8]] = Array(repeating: [], count: 2)
        written[0].appendJSON(string: text)
        written[1].appendJSON(string: String(decoding: text, as: UTF8.self))
        #expect(Set(written) == [Array(#""a\n\#u{e9}""#.utf8)])
    }

    @Test("Integers are written in decimal", arguments: [0, 7, -7, 10, 604_800, .max, .min] as [Int64])
    func integers(_ value: Int64) {
        var bytes = Array("x".utf8)
        bytes.appendJSON(value)
        #expect(String(decoding: bytes, as: UTF8.self) == "x\(value)")
    }

    @Test func booleans() {
        var bytes: [UInt8] = []
        bytes.appendJSON(true)
        bytes.appendJSON(false)
        #expect(bytes == Array("truefalse".utf8))
    }
}
