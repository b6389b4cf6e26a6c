import TestSupport
import Testing
import Text

@testable import DataFormats

@Suite("JSON values")
struct JSONValueTests {
    @Test func readsEveryCase() {
        #expect(JSONTextCase.all.count == 521)
    }

    @Test("The reader accepts exactly the grammar of RFC 8259, without its options", arguments: JSONTextCase.all)
    func grammar(_ text: JSONTextCase) {
        let value = try? JSONValue(parsing: text.text)
        #expect((value != nil) == text.isGood)
    }

    @Test("Skipping a value accepts the same grammar, and duplicate names", arguments: JSONTextCase.all)
    func skipping(_ text: JSONTextCase) {
        #expect((try? JSONReader.skipped(text.text)) == (text.isGood || text.repeatsName ? text.text.count : nil))
    }

    @Test("A valid text is rejected when it is truncated at any byte", arguments: JSONTextCase.all.filter(\.isGood))
    func truncation(_ text: JSONTextCase) throws {
        let whole = try JSONValue(parsing: text.text)
        for count in text.text.indices {
            // A truncated number is still a number, and a text without its trailing whitespace is still the same value.
            guard let value = try? JSONValue(parsing: text.text[..<count]) else { continue }
            if case .number = value { continue }
            #expect(value == whole)
        }
    }

    @Test("A value is unchanged after writing and reading it", arguments: JSONTextCase.all.filter(\.isGood))
    func roundTrip(_ text: JSONTextCase) throws {
        let value = try JSONValue(parsing: text.text)
        var written = ByteBuffer()
        written.appendJSON(value)
        #expect(try JSONValue(parsing: written.bytes) == value)
    }

    @Test(
        "Errors report the offset",
        arguments: [
            (#"{"a":1,"\u0061":2}"#, 7, .duplicateName(Array("a".utf8))), ("[1,]", 3, .trailingComma),
            (#"{"a":1 , }"#, 9, .trailingComma), ("[1,,2]", 3, .expectedValue), ("[,]", 1, .expectedValue),
            (#"{"a":"\ud800"}"#, 6, .loneSurrogate), (" 01", 2, .leadingZero), ("{} x", 3, .trailingText),
            (#""abc"#, 4, .unterminatedString), ("", 0, .expectedValue), ("[1", 2, .expectedCommaOrBracket),
            (#"{"a":1"#, 6, .expectedCommaOrBrace), ("{1}", 1, .expectedString), (#"{"a"1}"#, 4, .expectedColon),
            ("[-]", 2, .expectedDigit), (#""\x""#, 1, .unknownEscape), (#""\u00g0""#, 5, .expectedHexadecimalDigits),
            ("\"\n\"", 1, .unescapedControlCharacter), ("\u{FEFF}1", 0, .byteOrderMark),
            ("[[[[[[[[[", 8, .nestedTooDeeply),
        ] as [(String, Int, SyntaxError.Reason)])
    func offsets(text: String, offset: Int, reason: SyntaxError.Reason) {
        let error = #expect(throws: SyntaxError.self) { _ = try JSONValue(parsing: Array(text.utf8)) }
        #expect(error == SyntaxError(reason, at: offset))
    }

    @Test("An error message does not quote the text, which may be a credentials file")
    func messages() {
        let error = #expect(throws: SyntaxError.self) {
            _ = try JSONValue(parsing: Array(#"{"s3cr3t":1,"s3cr3t":2}"#.utf8))
        }
        #expect(error?.description == "duplicate name, at byte 12")
    }

    @Test(
        "Invalid UTF-8 is rejected inside and outside of strings",
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x80, 0x31], [0x22, 0xE2, 0x82, 0x22],
        ] as [[UInt8]])
    func invalidUTF8(_ text: [UInt8]) {
        #expect(throws: SyntaxError.self) { _ = try JSONValue(parsing: text) }
    }

    @Test func limits() throws {
        let text = Array("[[1]]".utf8)
        _ = try JSONValue(parsing: text, limits: JSONLimits(size: 5, depth: 2))
        #expect(throws: SyntaxError.self) { _ = try JSONValue(parsing: text, limits: JSONLimits(size: 4, depth: 2)) }
        #expect(throws: SyntaxError.self) { _ = try JSONValue(parsing: text, limits: JSONLimits(size: 5, depth: 1)) }
    }

    @Test(
        "An integer is read exactly or not at all",
        arguments: [
            ("0", 0), ("-0", 0), ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("9223372036854775808", nil), ("-9223372036854775809", nil), ("\"1\"", nil), ("true", nil), ("null", nil),
            // A fraction of zeros and an exponent do not make it another number (JSON Schema, "integer").
            ("1.0", 1), ("900.00", 900), ("-1.0", -1), ("-0.0", 0), ("0e9", 0), ("0.0e-99999999", 0), ("1e2", 100),
            ("1E+2", 100), ("9.5e1", 95), ("1200e-2", 12), ("1.20e1", 12), ("0.001e3", 1),
            ("9223372036854775807.0", .max), ("9.223372036854775807e18", .max), ("-9223372036854775808.0", .min),
            ("900.5", nil), ("1.20", nil), ("95e-1", nil), ("0.1", nil), ("1e-1", nil), ("9.5e0", nil), ("1e19", nil),
            ("9223372036854775808.0", nil), ("1e400", nil), ("1e99999999999999999999", nil), ("1e-99999999999", nil),
        ] as [(String, Int64?)])
    func integers(text: String, value: Int64?) throws {
        #expect(try JSONValue(parsing: Array(text.utf8)).integer == value)
    }

    @Test func countsOffsetsFromTheStartOfASlice() {
        let text = Array("xx[1,]".utf8)
        let error = #expect(throws: SyntaxError.self) { _ = try JSONValue(parsing: text[2...]) }
        #expect(error?.offset == 3)
    }

    @Test("50,000 mutations of valid texts do not crash the reader, and every accepted text can be skipped")
    func mutations() throws {
        let seeds = JSONTextCase.all.map(\.text) + [Array(#"{"path":"a/b","n":-1.5e3,"x":[true,null,"é\n"]}"#.utf8)]
        var generator = SeededGenerator(seed: 8259)
        var accepted = 0
        for _ in 0..<50_000 {
            var text = seeds.randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 1...3, using: &generator) { mutate(&text, &generator) }
            do throws(SyntaxError) {
                _ = try JSONValue(parsing: text)
                accepted += 1
                #expect(throws: Never.self) { try JSONReader.skipped(text) }
            } catch {
                if case .duplicateName = error.reason { continue }
                #expect(throws: error) { try JSONReader.skipped(text) }
            }
        }
        #expect(accepted > 1000 && accepted < 40_000)
    }

    private func mutate(_ text: inout [UInt8], _ generator: inout SeededGenerator) {
        let index = Int.random(in: 0...text.count, using: &generator)
        let byte =
            Bool.random(using: &generator)
            ? Array("{}[]\",:\\u0e-.tfn 1".utf8).randomElement(using: &generator) ?? 0
            : UInt8.random(in: 0...255, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: text.insert(byte, at: index)
        case 1 where index < text.count: text[index] = byte
        default: if index < text.count { text.remove(at: index) }
        }
    }
}
