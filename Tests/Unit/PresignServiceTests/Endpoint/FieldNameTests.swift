import Testing

@testable import Requests

@Suite("Field names")
struct FieldNameTests {
    private static func name(_ bytes: [UInt8]) -> PresignFieldName? {
        PresignFieldName.index(of: bytes[...]).map { PresignFieldName.allCases[$0] }
    }

    @Test("Every name is recognised, and no other name of the same length", arguments: PresignFieldName.allCases)
    func named(name: PresignFieldName) {
        let bytes = Array(name.rawValue.utf8)
        #expect(Self.name(bytes) == name)
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 0x20
            #expect(Self.name(other) == nil)
        }
        let (longer, shorter) = (bytes + [0], bytes.dropLast())
        #expect(Self.name(longer) == nil)
        #expect(Self.name(Array(shorter)) == nil)
    }

    @Test("Methods are upper case", arguments: PresignRequest.Method.allCases)
    func method(method: PresignRequest.Method) throws {
        for (spelled, expected) in [(method.rawValue, method), (method.rawValue.lowercased(), nil)] {
            let body = Array(#"{"path":"a","method":"\#(spelled)"}"#.utf8)
            do throws(InvalidRequest) {
                let fields = try PresignRequest(json: body[...])
                #expect(fields.method == expected)
            } catch {
                #expect(expected == nil && error.errors.map(\.field) == ["method"])
            }
        }
    }
}
