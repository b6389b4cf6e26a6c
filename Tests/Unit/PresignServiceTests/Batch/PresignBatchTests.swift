import Requests
import Testing

@testable import PresignService

@Suite("Items of a batch")
struct PresignBatchTests {
    private static func items(_ text: String, limit: Int = 1 << 20) throws(Problem) -> [String] {
        let body = Array("xx\(text)".utf8)[2...]
        return try PresignBatch(body, limit: limit).ranges.map { String(decoding: body[$0], as: UTF8.self) }
    }

    @Test(
        "The bytes of each item are found, in order",
        arguments: [
            (#"{"requests":[{}]}"#, ["{}"]),
            (
                " { \"requests\" : [ {\"path\" : \"a\"} ,\n[1, 2 ],null,\t\"]\\\"\", -1e5 ] } ",
                [#"{"path" : "a"}"#, "[1, 2 ]", "null", #""]\"""#, "-1e5"]
            ),
            (#"{"\u0072equests":[{"a":{"b":[{}]}},{"a":1,"a":2}]}"#, [#"{"a":{"b":[{}]}}"#, #"{"a":1,"a":2}"#]),
            (#"{"requests":[[[[[[[[[]]]]]]]]]}"#, ["[[[[[[[[]]]]]]]]"]),
        ])
    func ranges(text: String, expected: [String]) throws {
        #expect(try Self.items(text) == expected)
    }

    @Test(
        "An invalid batch is rejected as a whole, with the field's name",
        arguments: [
            ("", "#", "empty"), ("[]", "#", "expected an object"), (#"{"requests":[{}]"#, "#", "malformed"),
            (#"{"requests":[{},]}"#, "#", "malformed"), (#"{"requests":[{"a":}]}"#, "#", "malformed"),
            (#"{"requests":[{}]}{}"#, "#", "unexpected text"),
            (#"{"requests":[{}],"requests":[]}"#, "#", "duplicate name"),
            (#"{"requests":[[[[[[[[[[]]]]]]]]]]}"#, "#", "nested"), ("\u{feff}{\"requests\":[{}]}", "#", "byte order"),
            ("{}", "requests", "missing"), (#"{"requests":[]}"#, "requests", "empty"),
            (#"{"requests":{}}"#, "requests", "array"), (#"{"requests":null}"#, "requests", "array"),
            (#"{"requests":[{}],"Requests":[]}"#, "Requests", "unknown field"),
            (#"{"path":"a"}"#, "path", "unknown field"),
            (#"{"\u0061":"\u0062","\u0063":[{"\u0061":"\u0064"}],"\u0061":1}"#, "#", "duplicate name"),
        ])
    func refused(text: String, field: String, detail: String) throws {
        let problem = #expect(throws: Problem.self) { _ = try Self.items(text) }
        let failures = try #require(problem?.errors)
        #expect(problem?.status == 400 && problem?.recoverySuggestion != nil)
        #expect(failures.first?.field == (field == "#" ? "" : field))
        #expect(failures.first?.detail.contains(detail) == true, "\(failures)")
    }

    @Test("Invalid UTF-8 anywhere rejects the whole body")
    func invalidUTF8() {
        let body = Array(#"{"requests":[{"path":"\#u{1}"}]}"#.utf8).map { $0 == 1 ? 0xFF : $0 }
        #expect(throws: Problem.self) { _ = try PresignBatch(body[...], limit: 1 << 20) }
    }

    @Test("A batch has 1 to 1,000 items and a limited size")
    func bounds() throws {
        func body(_ count: Int) -> String {
            #"{"requests":[\#(Array(repeating: "0", count: count).joined(separator: ","))]}"#
        }
        #expect(try Self.items(body(1000)).count == 1000)
        let problem = #expect(throws: Problem.self) { _ = try Self.items(body(1001)) }
        #expect(problem?.detail == "requests: has 1001 requests; send at most 1000 in a batch")
        #expect(try Self.items(body(2), limit: body(2).utf8.count).count == 2)
        #expect(throws: Problem.self) { _ = try Self.items(body(2), limit: body(2).utf8.count - 1) }
    }

    @Test("The response lists at most 16 unknown members")
    func manyMistakes() {
        let members = (0..<100).map { #""m\#($0)":0"# }.joined(separator: ",")
        let problem = #expect(throws: Problem.self) { _ = try Self.items("{\(members)}") }
        #expect(problem?.errors.count == 17)
    }
}
