import Testing

@testable import HTTP1
@testable import Telemetry

@Suite("Request ids")
struct RequestIDTests {
    @Test("Generated ids count up in hexadecimal after a fixed prefix")
    func counting() {
        var source = RequestIDSource(start: "a9f")
        for count in 1...70_000 {
            #expect(String(decoding: source.next().bytes, as: UTF8.self) == "a9f-" + String(count, radix: 16))
        }
    }

    @Test("An id is sent in the fields of every response")
    func fields() {
        let id = RequestID("abc".utf8)
        #expect(id.fields.bytes == Array("cache-control: no-store\r\nx-request-id: abc\r\n".utf8))
        #expect(id.fieldsOfCacheable.bytes == Array("x-request-id: abc\r\n".utf8))
        #expect(id.bytes.elementsEqual("abc".utf8) && id.bytes.count == 3)
        var source = RequestIDSource(start: "s")
        #expect(source.next().fields.bytes == Array("cache-control: no-store\r\nx-request-id: s-1\r\n".utf8))
    }

    @Test("A retained id does not change")
    func kept() {
        var source = RequestIDSource(start: "s")
        let ids = (0..<300).map { _ in source.next() }
        #expect(Set(ids.map(\.bytes)).count == 300 && Array(ids[0].bytes) == Array("s-1".utf8))
    }

    @Test(
        "A well-formed id of the caller is used, otherwise one is generated",
        arguments: [
            ("abc", true), ("A-_.:/+=@~9", true), (String(repeating: "x", count: 128), true), ("", false),
            (String(repeating: "x", count: 129), false), ("a b", false), ("a\"b", false), ("a,b", false), ("ü", false),
        ])
    func given(id: String, isTaken: Bool) {
        var source = RequestIDSource(start: "s")
        let found = source.next(given: ArraySlice(id.utf8))
        #expect(String(decoding: found.bytes, as: UTF8.self) == (isTaken ? id : "s-1"))
        #expect(Array(source.next().bytes) == Array((isTaken ? "s-1" : "s-2").utf8))
    }
}
