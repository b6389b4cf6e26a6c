import Testing
import Text

@Suite("Searching bytes")
struct SearchingTests {
    /// A search, and the bytes that it finds.
    struct Search: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let position: @Sendable ([UInt8], Int) -> Int
        let finds: @Sendable (UInt8) -> Bool
    }

    static let searches =
        [
            Search(
                testDescription: "control", position: { $0.span.positionOfControl(from: $1) },
                finds: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }),
            Search(
                testDescription: "JSON escape", position: { $0.span.positionOfJSONEscape(from: $1) },
                finds: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }),
        ]
        + [false, true].map { keepsSlash in
            Search(
                testDescription: keepsSlash ? "reserved, without slash" : "reserved",
                position: { $0.span.positionOfReserved(from: $1, keepsSlash: keepsSlash) },
                finds: { byte in
                    let isSlash = byte == UInt8(ascii: "/")
                    return !ASCII.isAlphanumeric(byte) && !"-._~".utf8.contains(byte) && !(isSlash && keepsSlash)
                })
        }
        + [0x00, 0x2F, 0x7F, 0x80, 0xFF].map { byte in
            Search(
                testDescription: "byte \(byte)", position: { $0.span.position(of: byte, from: $1) },
                finds: { $0 == byte })
        }

    /// The search starts at each index up to the byte, and after it; the other bytes differ from it in one bit.
    @Test("Finds each byte at each index, between bytes that it does not find", arguments: searches)
    func everyByte(_ search: Search) {
        for byte in UInt8.min...UInt8.max {
            for other in (0..<8).map({ byte ^ 1 << $0 }) where !search.finds(other) {
                for index in 0..<20 {
                    var bytes = [UInt8](repeating: other, count: 20)
                    bytes[index] = byte
                    let expected = search.finds(byte) ? index : 20
                    #expect((0...index).allSatisfy { search.position(bytes, $0) == expected })
                    #expect(search.position(bytes, index + 1) == 20)
                }
            }
        }
    }

    @Test(
        "Finds the first of several bytes after an index, which may be the end",
        arguments: [(0, 0), (1, 2), (2, 2), (3, 15), (15, 15), (16, 17), (17, 17)])
    func severalBytes(_ start: Int, _ index: Int) {
        #expect(Array("/a/bcdefghijklm/n".utf8).span.position(of: UInt8(ascii: "/"), from: start) == index)
    }

    @Test("Finds the end of a text of each length", arguments: searches)
    func lengths(_ search: Search) {
        for length in 0...24 {
            let bytes = [UInt8](repeating: 0x61, count: length)
            #expect((0...length).allSatisfy { search.position(bytes, $0) == length })
        }
    }

    @Test("A byte that JSON must escape is found at every index", arguments: 0...40)
    func plainJSON(length: Int) {
        let plain = [UInt8](repeating: 0x61, count: length)
        #expect(Self.isPlainJSON(plain))
        for (index, byte) in (0..<length).flatMap({ index in (UInt8.min...UInt8.max).map { (index, $0) } }) {
            var text = plain
            text[index] = byte
            let isPlain = 0x20...0x7E ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
            #expect(Self.isPlainJSON(text) == isPlain)
        }
    }

    private static func isPlainJSON(_ bytes: [UInt8]) -> Bool { bytes.span.isPlainJSON }
}
