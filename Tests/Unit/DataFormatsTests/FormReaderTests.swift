import TestSupport
import Testing

@testable import DataFormats

@Suite("Form bodies")
struct FormReaderTests {
    private func fields(_ body: [UInt8], maximum: Int = 64) throws(SyntaxError) -> [[String]] {
        try FormReader.fields(of: body[...], maximum: maximum).map { field in
            [field.name, field.value].map { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test(
        "Valid bodies are decoded",
        arguments: [
            ("", []), ("a=", [["a", ""]]), ("path=a/b+c%2Bd&method=PUT", [["path", "a/b c+d"], ["method", "PUT"]]),
            ("a==", [["a", "="]]), ("a%3d=%c3%A9", [["a=", "é"]]), ("a=é", [["a", "é"]]), ("a=%00", [["a", "\0"]]),
            ("a=x&A=y", [["a", "x"], ["A", "y"]]), ("a=?;/:@", [["a", "?;/:@"]]),
        ])
    func good(body: String, expected: [[String]]) throws {
        #expect(try fields(Array(body.utf8)) == expected)
    }

    @Test(
        "Invalid bodies are rejected with the offset",
        arguments: [
            ("a", 0), ("&", 0), ("a=1&", 0), ("a=1&&b=2", 4), ("&a=1", 0), ("=1", 0), ("a=1&a=2", 4), ("a=1&%61=2", 4),
            ("a=%", 2), ("a=%4", 2), ("a=%4g", 2), ("a=%%41", 2), ("a=%ff", 2), ("a=%c3", 2), ("a=%ed%a0%80", 2),
            ("a=\n", 2), ("a=\u{7f}", 2), ("%u0061=1", 0),
        ])
    func refused(body: String, offset: Int) {
        let error = #expect(throws: SyntaxError.self) { _ = try fields(Array(body.utf8)) }
        #expect(error?.offset == offset)
    }

    @Test func rejectsTooManyFields() throws {
        #expect(try fields(Array("a=1&b=2".utf8), maximum: 2).count == 2)
        #expect(throws: SyntaxError.self) { _ = try fields(Array("a=1&b=2&c=3".utf8), maximum: 2) }
    }

    @Test("50,000 random bodies do not crash the reader")
    func random() {
        var generator = SeededGenerator(seed: 1866)
        let alphabet = Array("a=b&%+c3a90fF\u{e9}\n".utf8)
        var accepted = 0
        for _ in 0..<50_000 {
            let body = (0..<Int.random(in: 0..<12, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? 0
            }
            if (try? fields(body)) != nil { accepted += 1 }
        }
        #expect(accepted > 1000 && accepted < 40_000)
    }
}
