import Testing
import Text

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
        var output = ByteBuffer()
        output.appendJSON(string: text.utf8.span)
        #expect(output.bytes == Array(written.utf8))
    }

    @Test(
        "Invalid bytes become U+FFFD",
        arguments: [
            [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0x61, 0x80, 0x62], [0xF0, 0x9F, 0x98],
            [0x61, 0x61, 0x61, 0xFF, 0x61, 0x61, 0x61, 0x61], [UInt8](repeating: 0xFF, count: 16),
            [0x61, 0xFF, 0xFE, 0x61, 0x61, 0x61, 0x61, 0x61], [UInt8](repeating: 0x80, count: 8),
        ] as [[UInt8]])
    func invalidBytes(_ input: [UInt8]) throws {
        var output = ByteBuffer()
        output.appendJSON(string: input.span)
        let text = try #require(String(validating: output.bytes, as: UTF8.self))
        #expect(text.unicodeScalars.contains("\u{FFFD}"))
        #expect(try JSONValue(parsing: output.bytes).string == Array(text.utf8.dropFirst().dropLast()))
    }

    @Test func writesArraysAndStringsTheSame() {
        let text = Array("a\n\u{e9}".utf8)
        var output = ByteBuffer()
        output.appendObject {
            $0.member("a", text)
            $0.member("s", String(decoding: text, as: UTF8.self))
        }
        #expect(output.bytes == Array(#"{"a":"a\n\#u{e9}","s":"a\n\#u{e9}"}"#.utf8))
    }

    @Test("Integers are written in decimal", arguments: [0, 7, -7, 10, 604_800, .max, .min] as [Int64])
    func integers(_ value: Int64) {
        var output = ByteBuffer()
        output.appendObject { $0.member("x", value) }
        #expect(String(decoding: output.bytes, as: UTF8.self) == #"{"x":\#(value)}"#)
    }

    @Test func booleans() {
        var output = ByteBuffer()
        output.appendJSON(.boolean(true))
        output.appendJSON(.boolean(false))
        #expect(output.bytes == Array("truefalse".utf8))
    }
}
