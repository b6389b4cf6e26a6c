import Testing

@testable import DataFormats

@Suite("Flat members")
struct JSONMemberReaderTests {
    /// A member with its texts taken out of the reader.
    private struct Found: Equatable {
        var name: String
        var kind: String
        var text: String?
        var integer: Int64?
        var boolean: Bool?
    }

    private func members(_ text: String, depth: Int = 8) throws -> [Found] {
        let bytes = Array(text.utf8)
        let text = bytes.span
        var reader = try JSONMemberReader(text, limits: JSONLimits(depth: depth))
        var seen = SeenNames()
        var members: [Found] = []
        while let member = try reader.next(in: text, &seen) {
            let (kind, value): (String, FlatText?) =
                switch member.value {
                case .string(let text): ("string", text)
                case .number(let text): ("number", text)
                case .text(let text): ("text", text)
                case .boolean: ("boolean", nil)
                case .null: ("null", nil)
                case .compound: ("compound", nil)
                }
            members.append(
                Found(
                    name: String(decoding: reader.bytes(of: member.name, in: text), as: UTF8.self), kind: kind,
                    text: value.map { String(decoding: reader.bytes(of: $0, in: text), as: UTF8.self) },
                    integer: reader.integer(member.value, in: text), boolean: reader.boolean(member.value, in: text)))
        }
        #expect(try reader.next(in: text, &seen) == nil)
        return members
    }

    @Test func everyKindOfValue() throws {
        let found = try members(#" {"a":"x\ty","b":-5,"c":true,"d":null,"e":{"f":[1]},"g":1.5,"h":"","\u0069":"\n"} "#)
        let expected = [
            Found(name: "a", kind: "string", text: "x\ty"), Found(name: "b", kind: "number", text: "-5", integer: -5),
            Found(name: "c", kind: "boolean", boolean: true), Found(name: "d", kind: "null"),
            Found(name: "e", kind: "compound"), Found(name: "g", kind: "number", text: "1.5"),
            Found(name: "h", kind: "string", text: ""), Found(name: "i", kind: "string", text: "\n"),
        ]
        #expect(found == expected)
    }

    @Test("No object, or a broken one", arguments: ["", "[]", "1", "{\"a\":1}x", "{\"a\":1,}", "{\"a\":[1}", "{\"a\""])
    func broken(_ text: String) {
        #expect(throws: SyntaxError.self) { _ = try members(text) }
    }

    @Test func theObjectCountsAsOneLevel() throws {
        _ = try members(#"{"a":[]}"#, depth: 2)
        #expect(throws: SyntaxError.self) { _ = try members(#"{"a":[]}"#, depth: 1) }
    }

    @Test("More names than are scanned, and one of them twice")
    func manyNames() throws {
        let names = (0..<40).map { "\"n\($0)\":\($0)" }
        #expect(try members("{" + names.joined(separator: ",") + "}").count == 40)
        for twice in ["n3", "n30", "\\u006e39"] {
            let text = "{" + (names + ["\"\(twice)\":0"]).joined(separator: ",") + "}"
            #expect(throws: SyntaxError.self) { _ = try members(text) }
        }
    }

    @Test func aNameThatStandsTwice() {
        let error = #expect(throws: SyntaxError.self) { _ = try members(#"{"path":"a","p\u0061th":"b"}"#) }
        #expect(error?.description == "a name stands twice in an object, at byte 12")
    }

    @Test("Invalid UTF-8 is found wherever it stands")
    func invalidUTF8() throws {
        let text = Array(#"{"key":"a text of some words"}"#.utf8)
        _ = try JSONMemberReader(text.span)
        for index in text.indices {
            var broken = text
            broken[index] = 0xFF
            let error = #expect(throws: SyntaxError.self) { _ = try JSONMemberReader(broken.span) }
            #expect(error?.offset == index)
        }
    }
}
