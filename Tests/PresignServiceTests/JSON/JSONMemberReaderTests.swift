import Testing

@testable import PresignService

@Suite("Flat members")
struct JSONMemberReaderTests {
    private func members(_ text: String, depth: Int = 8) throws -> [(name: String, value: FlatValue)] {
        var reader = try JSONMemberReader(Array(text.utf8)[...], limits: JSONLimits(depth: depth))
        var members: [(String, FlatValue)] = []
        while let member = try reader.next() {
            members.append((String(decoding: member.name, as: UTF8.self), member.value))
        }
        #expect(try reader.next() == nil)
        return members
    }

    @Test func everyKindOfValue() throws {
        let found = try members(#" {"a":"x\ty","b":-5,"c":true,"d":null,"e":{"f":[1]},"g":1.5,"h":""} "#)
        let values: [FlatValue] = [
            .string(Array("x\ty".utf8)[...]), .number(Array("-5".utf8)[...]), .boolean(true), .null, .compound,
            .number(Array("1.5".utf8)[...]), .string([]),
        ]
        #expect(found.map(\.value) == values)
        #expect(found.map(\.name) == ["a", "b", "c", "d", "e", "g", "h"])
        #expect(found.map(\.value.integer) == [nil, -5, nil, nil, nil, nil, nil])
        #expect(found.map(\.value.boolean) == [nil, nil, true, nil, nil, nil, nil])
    }

    @Test("No object, or a broken one", arguments: ["", "[]", "1", "{\"a\":1}x", "{\"a\":1,}", "{\"a\":[1}", "{\"a\""])
    func broken(_ text: String) {
        #expect(throws: SyntaxError.self) { _ = try members(text) }
    }

    @Test func theObjectCountsAsOneLevel() throws {
        _ = try members(#"{"a":[]}"#, depth: 2)
        #expect(throws: SyntaxError.self) { _ = try members(#"{"a":[]}"#, depth: 1) }
    }

    @Test func aNameThatStandsTwice() {
        let error = #expect(throws: SyntaxError.self) { _ = try members(#"{"path":"a","p\u0061th":"b"}"#) }
        #expect(error?.description == "a name stands twice in an object, at byte 12")
    }
}
