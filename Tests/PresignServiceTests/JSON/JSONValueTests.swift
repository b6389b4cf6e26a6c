import Testing

@testable import DataFormats

@Suite("JSON values")
struct JSONValueTests {
    @Test func everyCaseIsRead() {
        #expect(JSONTextCase.all.count == 521)
    }

    @Test("The grammar of RFC 8259, without its liberties", arguments: JSONTextCase.all)
    func grammar(_ text: JSONTextCase) {
        let value = try? JSONValue(parsing: text.text)
        #expect((value != nil) == text.isGood)
    }

    @Test("What steps over a value takes the same grammar, but for names that stand twice", arguments: JSONTextCase.all)
    func skipping(_ text: JSONTextCase) {
        #expect((try? skip(text.text)) == (text.isGood || text.repeatsName ? text.text.count : nil))
    }

    private func skip(_ text: [UInt8]) throws(SyntaxError) -> Int {
        let text = text.span
        var cursor = try JSONCursor(text, limits: JSONLimits())
        cursor.skipSpace(text)
        try cursor.skipValue(text, depth: JSONLimits().depth)
        try cursor.expectEnd(text)
        #expect(cursor.decoded.isEmpty)
        return cursor.offset
    }

    @Test("A good text is refused when it is cut anywhere", arguments: JSONTextCase.all.filter(\.isGood))
    func truncation(_ text: JSONTextCase) throws {
        let whole = try JSONValue(parsing: text.text)
        for count in text.text.indices {
            // A cut number or trailing space leaves a value that is good, but no text is mistaken for another one.
            guard let value = try? JSONValue(parsing: text.text[..<count]) else { continue }
            if case .number = value { continue }
            #expect(value == whole)
        }
    }

    @Test("Written and read again, a value is the same", arguments: JSONTextCase.all.filter(\.isGood))
    func roundTrip(_ text: JSONTextCase) throws {
        let value = try JSONValue(parsing: text.text)
        var written: [UInt8] = []
        written.appendJSON(value)
        #expect(try JSONValue(parsing: written) == value)
    }

    @Test(
        "Errors tell the offset",
        arguments: [
            (#"{"a":1,"a":2}"#, 7, "a name stands twice in an object"), ("[1,]", 3, "a value is expected"),
            (#"{"a":"\ud800"}"#, 6, "a lone surrogate in a string"), (" 01", 2, "a number must not have leading zeros"),
            ("{} x", 3, "the text goes on after its value"), (#""abc"#, 4, "a string does not end"),
        ])
    func offsets(text: String, offset: Int, reason: String) {
        let error = #expect(throws: SyntaxError.self) { _ = try JSONValue(parsing: Array(text.utf8)) }
        #expect(error?.offset == offset && error?.reason == reason)
    }

    @Test(
        "Invalid UTF-8 is refused, in strings and outside",
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
        "Whole numbers are exact or nothing",
        arguments: [
            ("0", 0), ("-0", 0), ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1.0", nil), ("1e2", nil), ("\"1\"", nil),
        ] as [(String, Int64?)])
    func integers(text: String, value: Int64?) throws {
        #expect(try JSONValue(parsing: Array(text.utf8)).integer == value)
    }

    @Test func offsetsOfSlicesCountFromTheirStart() {
        let text = Array("xx[1,]".utf8)
        let error = #expect(throws: SyntaxError.self) { _ = try JSONValue(parsing: text[2...]) }
        #expect(error?.offset == 3)
    }

    @Test("50,000 mutations of good texts never crash, and the two readers agree")
    func mutations() throws {
        let seeds = JSONTextCase.all.map(\.text) + [Array(#"{"path":"a/b","n":-1.5e3,"x":[true,null,"é\n"]}"#.utf8)]
        var generator = SeededGenerator(state: 8259)
        var accepted = 0
        for _ in 0..<50_000 {
            var text = seeds.randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 1...3, using: &generator) { mutate(&text, &generator) }
            let tree = try? JSONValue(parsing: text)
            if tree != nil { accepted += 1 }
            guard text.first == UInt8(ascii: "{") else { continue }
            var count: Int? = 0
            do {
                var reader = try JSONMemberReader(text.span)
                var seen = SeenNames()
                while try reader.next(in: text.span, &seen) != nil { count? += 1 }
            } catch {
                count = nil
            }
            var members: Int?
            if case .object(let object)? = tree { members = object.count }
            #expect(count == members)
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
