import Testing

@testable import DataFormats
@testable import PresignService

@Suite("Names of fields")
struct FieldNameTests {
    @Test("Every name is known, and no other of its length", arguments: PresignFieldName.allCases)
    func named(name: PresignFieldName) {
        let bytes = Array(name.rawValue.utf8)
        #expect(PresignFieldName.named(bytes.span) == name)
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 0x20
            #expect(PresignFieldName.named(other.span) == nil)
        }
        let (longer, shorter) = (bytes + [0], Array(bytes.dropLast()))
        #expect(PresignFieldName.named(longer.span) == nil)
        #expect(PresignFieldName.named(shorter.span) == nil)
    }

    @Test("Methods are spelled in upper case", arguments: PresignFields.Method.allCases)
    func method(method: PresignFields.Method) throws {
        for (spelled, expected) in [(method.rawValue, method), (method.rawValue.lowercased(), nil)] {
            let body = Array(#"{"path":"a","method":"\#(spelled)"}"#.utf8)
            var reader = try JSONMemberReader(body.span)
            do throws(Problem) {
                let fields = try PresignFields(decoding: body.span, with: &reader)
                #expect(fields.method == expected)
            } catch {
                #expect(expected == nil && error.errors.map(\.field) == ["method"])
            }
        }
    }
}
