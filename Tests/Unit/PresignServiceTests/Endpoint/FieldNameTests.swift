import Testing

@testable import PresignService

@Suite("Field names")
struct FieldNameTests {
    @Test("Every name is recognised, and no other name of the same length", arguments: PresignFieldName.allCases)
    func named(name: PresignFieldName) {
        let bytes = Array(name.rawValue.utf8)
        #expect(PresignFieldName(bytes: bytes[...]) == name)
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 0x20
            #expect(PresignFieldName(bytes: other[...]) == nil)
        }
        let (longer, shorter) = (bytes + [0], bytes.dropLast())
        #expect(PresignFieldName(bytes: longer[...]) == nil)
        #expect(PresignFieldName(bytes: shorter) == nil)
    }

    @Test("Methods are upper case", arguments: PresignFields.Method.allCases)
    func method(method: PresignFields.Method) throws {
        for (spelled, expected) in [(method.rawValue, method), (method.rawValue.lowercased(), nil)] {
            let body = Array(#"{"path":"a","method":"\#(spelled)"}"#.utf8)
            do throws(Problem) {
                let fields = try PresignFields(json: body[...])
                #expect(fields.method == expected)
            } catch {
                #expect(expected == nil && error.errors.map(\.field) == ["method"])
            }
        }
    }
}
