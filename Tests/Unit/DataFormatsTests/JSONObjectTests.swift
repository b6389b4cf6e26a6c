import Testing

@testable import DataFormats

@Suite("Members of a JSON object ")
struct JSONObjectTests {
    private func fields(_ text: [UInt8], depth: Int = 8) throws(SyntaxError) -> [JSONValue.Member] {
        var reader = try JSONReader(text[...], limits: JSONLimits(depth: depth))
        var fields: [JSONValue.Member] = []
        try reader.readObject { reader, name throws(SyntaxError) in
            fields.append(JSONValue.Member(name: Array(name), value: try reader.value()))
        }
        try reader.end()
        return fields
    }

    private func fields(_ text: String, depth: Int = 8) throws(SyntaxError) -> [JSONValue.Member] {
        try fields(Array(text.utf8), depth: depth)
    }

    @Test func everyKindOfValue() throws {
        let found = try fields(#" {"a":"x\ty","b":-5,"c":true,"d":null,"e":{"f":[1]},"g":1.5,"h":"","\u0069":"\n"} "#)
        let strings = ["x\ty", nil, nil, nil, nil, nil, "", "\n"]
        #expect(found.map { String(decoding: $0.name, as: UTF8.self) }.joined() == "abcdeghi")
        #expect(found.map { $0.value.string.map { String(decoding: $0, as: UTF8.self) } } == strings)
        #expect(found.map(\.value.integer) == [nil, -5, nil, nil, nil, nil, nil, nil])
        #expect(found.map(\.value.boolean) == [nil, nil, true, nil, nil, nil, nil, nil])
        #expect(found[3].value == .null && found[5].value == .number(Array("1.5".utf8)))
    }

    @Test(
        "Rejects values that are not an object, and malformed objects",
        arguments: ["", "[]", "1", "{\"a\":1}x", "{\"a\":1,}", "{\"a\":[1}", "{\"a\""])
    func broken(_ text: String) {
        #expect(throws: SyntaxError.self) { _ = try fields(text) }
    }

    @Test func countsTheObjectAsOneLevel() throws {
        _ = try fields(#"{"a":[]}"#, depth: 2)
        #expect(throws: SyntaxError(.nestedTooDeeply, at: 5)) { _ = try fields(#"{"a":[]}"#, depth: 1) }
    }

    @Test("A duplicate is found among more names than are scanned linearly")
    func manyNames() throws {
        let names = (0..<40).map { "\"n\($0)\":\($0)" }
        let text = names.joined(separator: ",")
        #expect(try fields("{\(text)}").count == 40)
        for twice in ["n3", "n30", "\\u006e39"] {
            let name = Array(twice.replacing("\\u006e", with: "n").utf8)
            #expect(throws: SyntaxError(.duplicateName(name), at: text.utf8.count + 2)) {
                _ = try fields("{\(text),\"\(twice)\":0}")
            }
        }
    }

    @Test("The end of a string is found at every distance, and offsets count from the start of a slice")
    func strings() throws {
        for length in 0...40 {
            let plain = String(repeating: "\u{FC}", count: length / 2) + String(repeating: "z", count: length % 2)
            for (inner, expected) in [("", ""), (#"\""#, "\""), (#"\\ !"#, "\\ !"), (#"\u0041]~"#, "A]~")] {
                let text = Array("[[{\"\(plain)\(inner)\":\"\(inner)\(plain)\"}".utf8)
                var reader = try JSONReader(text[2...])
                let value = try reader.value()
                let member = JSONValue.Member(
                    name: Array((plain + expected).utf8), value: .string(Array((expected + plain).utf8)))
                #expect(value == .object([member]) && reader.position == text.endIndex)
            }
            for control: UInt8 in [0x00, 0x0A, 0x1F] {
                let text = Array("[\"\(plain)".utf8) + [control] + Array("        \"".utf8)
                #expect(throws: SyntaxError(.unescapedControlCharacter, at: text.count - 11)) {
                    _ = try JSONValue(parsing: text[1...])
                }
            }
            #expect(throws: SyntaxError(.unterminatedString, at: plain.utf8.count + 1)) {
                _ = try JSONValue(parsing: Array("[\"\(plain)".utf8)[1...])
            }
        }
    }

    @Test("Invalid UTF-8 is found at every index")
    func invalidUTF8() throws {
        let text = Array(#"{"key":"a text of some words"}"#.utf8)
        _ = try fields(text)
        for index in text.indices {
            var broken = text
            broken[index] = 0xFF
            #expect(throws: SyntaxError(.invalidUTF8, at: index)) { _ = try fields(broken) }
        }
    }
}
