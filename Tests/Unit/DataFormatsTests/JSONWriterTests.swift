import Testing
import Text

@testable import DataFormats

@Suite("JSON written member by member")
struct JSONWriterTests {
    private static func object(_ members: (inout JSONWriter) -> Void) -> String {
        var output = ByteBuffer()
        output.appendObject(members)
        return String(decoding: output.bytes, as: UTF8.self)
    }

    @Test("Values of nil are omitted, and commas are only between members")
    func optionals() {
        for written in 0..<64 {
            let values = [
                (#""t":"é\\""#, written & 1), (#""b":"x""#, written & 2), (#""n":-7"#, written & 4),
                (#""l":8"#, written & 8), (#""f":false"#, written & 16), (#""v":null"#, written & 32),
            ]
            let json = Self.object {
                $0.member("t", written & 1 > 0 ? "é\\" : nil)
                $0.member("b", written & 2 > 0 ? Array("x".utf8) : nil)
                $0.member("n", written & 4 > 0 ? -7 : nil)
                $0.member("l", written & 8 > 0 ? Int64(8) : nil)
                $0.member("f", written & 16 > 0 ? false : nil)
                $0.member("v", written & 32 > 0 ? JSONValue.null : nil)
            }
            #expect(json == "{" + values.filter { $0.1 > 0 }.map(\.0).joined(separator: ",") + "}")
        }
    }

    @Test("Objects and arrays in each other, empty and not, with members before and after them")
    func nesting() throws {
        let json = Self.object { json in
            json.object("a") { _ in }
            json.array("b") { _ in }
            json.object("c") { $0.array("d", ["x", "\n"]) }
            json.array("e") { json in
                json.object { $0.member("f", 1) }
                json.object { _ in }
                json.element("g".utf8.span)
            }
            json.object(named: "h\"".utf8.span) { $0.member(named: "i\t".utf8.span, "j".utf8.span) }
            json.member(named: "k".utf8.span, JSONValue.array([.null]))
            json.member("l") { $0.append("2") }
        }
        #expect(
            json == ##"{"a":{},"b":[],"c":{"d":["x","\n"]},"e":[{"f":1},{},"g"],"h\"":{"i\t":"j"},"k":[null],"l":2}"##)
        _ = try JSONValue(parsing: Array(json.utf8))
    }

    @Test("Further members follow what the buffer has")
    func continuation() {
        var output = ByteBuffer()
        output.append(#"{"a":1"#)
        output.appendMembers { _ in }
        output.appendMembers {
            $0.member("b", 2)
            $0.member("c", 3)
        }
        output.append("}")
        #expect(String(decoding: output.bytes, as: UTF8.self) == #"{"a":1,"b":2,"c":3}"#)
    }
}
