import Testing

@testable import DataFormats

@Suite("Form bodies")
struct FormReaderTests {
    private func fields(_ body: [UInt8], maximum: Int = 64) throws(SyntaxError) -> [[String]] {
        var reader = FormReader(maximumFields: maximum)
        var seen = SeenNames()
        var fields: [[String]] = []
        while let field = try reader.next(in: body.span, &seen) {
            let texts = [field.name] + (field.value.string.map { [$0] } ?? [])
            fields.append(texts.map { String(decoding: reader.bytes(of: $0, in: body.span), as: UTF8.self) })
        }
        return fields
    }

    @Test(
        "Good bodies",
        arguments: [
            ("", []), ("a=", [["a", ""]]), ("path=a/b+c%2Bd&method=PUT", [["path", "a/b c+d"], ["method", "PUT"]]),
            ("a==", [["a", "="]]), ("a%3d=%c3%A9", [["a=", "é"]]), ("a=é", [["a", "é"]]), ("a=%00", [["a", "\0"]]),
            ("a=x&A=y", [["a", "x"], ["A", "y"]]), ("a=?;/:@", [["a", "?;/:@"]]),
        ])
    func good(body: String, expected: [[String]]) throws {
        #expect(try fields(Array(body.utf8)) == expected)
    }

    @Test(
        "Refused bodies and the offset",
        arguments: [
            ("a", 0), ("&", 0), ("a=1&", 0), ("a=1&&b=2", 4), ("&a=1", 0), ("=1", 0), ("a=1&a=2", 4), ("a=1&%61=2", 4),
            ("a=%", 2), ("a=%4", 2), ("a=%4g", 2), ("a=%%41", 2), ("a=%ff", 2), ("a=%c3", 2), ("a=%ed%a0%80", 2),
            ("a=\n", 2), ("a=\u{7f}", 2), ("%u0061=1", 0),
        ])
    func refused(body: String, offset: Int) {
        let error = #expect(throws: SyntaxError.self) { _ = try fields(Array(body.utf8)) }
        #expect(error?.offset == offset)
    }

    @Test func tooManyFields() throws {
        #expect(try fields(Array("a=1&b=2".utf8), maximum: 2).count == 2)
        #expect(throws: SyntaxError.self) { _ = try fields(Array("a=1&b=2&c=3".utf8), maximum: 2) }
    }

    @Test func typesAreMadeFromTheText() throws {
        let body = Array("n=900&b=true&s=0900".utf8)
        var reader = FormReader()
        var seen = SeenNames()
        var values: [FlatValue] = []
        while let field = try reader.next(in: body.span, &seen) { values.append(field.value) }
        let integers = values.map { reader.integer($0, in: body.span) }
        let booleans = values.map { reader.boolean($0, in: body.span) }
        let texts = values.map {
            $0.string.map { String(decoding: reader.bytes(of: $0, in: body.span), as: UTF8.self) }
        }
        #expect(integers == [900, nil, nil])
        #expect(booleans == [nil, true, nil])
        #expect(texts == ["900", "true", "0900"])
    }

    @Test("50,000 random bodies never crash")
    func random() {
        var generator = SeededGenerator(state: 1866)
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
