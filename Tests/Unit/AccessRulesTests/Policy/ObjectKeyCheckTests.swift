import Requests
import Testing

@testable import AccessRules

@Suite("Object key validation")
struct ObjectKeyCheckTests {
    @Test(
        "Accepts valid keys",
        arguments: [
            "a", "a/b", "...", "a/.../b", ".a", "a.", "a/..b", "a/b..", "100%25.txt", "a%2fb", "%", "%2", "%zz",
            "a b+c&d=é", "..\u{301}/f", "\u{301}alice/f", "a/\u{85}/b", "a/%00",
            "%252525", "a/%2e%2e%2e/b", String(repeating: "é", count: 512),
        ])
    func accepted(_ path: String) {
        #expect(ObjectKeyCheck.refusal(of: Array(path.utf8)) == nil)
    }

    @Test(
        "Rejects invalid keys and names the reason",
        arguments: [
            ("", .empty), ("/", .leadingSlash), ("/a", .leadingSlash), ("a/", .trailingSlash), ("a//b", .emptySegment),
            ("a\\b", .backslash), ("a\u{0}", .controlCharacter), ("a\n/b", .controlCharacter),
            ("a\u{7f}", .controlCharacter), (".", .dotSegment), ("..", .dotSegment), ("../a", .dotSegment),
            ("a/./b", .dotSegment), ("a/..", .dotSegment), ("%2e", .encodedDotSegment),
            ("a/%2e%2E/b", .encodedDotSegment), ("a/.%2e/b", .encodedDotSegment), ("a/%252e./b", .encodedDotSegment),
            ("a/%25%32%65%2e", .encodedDotSegment), ("a%2f..%2fb", .encodedDotSegment),
            ("a%252f%252e%252e%252fb", .encodedDotSegment), ("%2e%2fa", .encodedDotSegment),
            (String(repeating: "é", count: 513), .tooLong), ("//a", .leadingSlash), ("s3://acme-media/a", .url),
            ("https://acme.example/a", .url), ("://a", .emptySegment), ("a/b://c", .emptySegment),
        ] as [(String, ObjectKeyRefusal)])
    func refused(path: String, refusal: ObjectKeyRefusal) {
        #expect(ObjectKeyCheck.refusal(of: Array(path.utf8)) == refusal)
    }

    @Test(
        "Rejects bytes that are not UTF-8",
        arguments: [[0xFF], [0x61, 0xC3], [0xED, 0xA0, 0x80], [0xC0, 0xAF]] as [[UInt8]])
    func invalidUTF8(_ path: [UInt8]) {
        #expect(ObjectKeyCheck.refusal(of: path) == .invalidUTF8)
    }

    @Test("An invalid byte is rejected at every index", arguments: [8, 15, 16, 17, 18, 19, 25, 32, 33, 34, 35, 48])
    func everywhere(length: Int) {
        let path = Array("abcdefg/ijklmnop.rst/vwxyz0123456789/a.b-c_d~e+f".utf8.prefix(length - 1)) + Array("z".utf8)
        #expect(ObjectKeyCheck.refusal(of: path) == nil)
        for index in 0..<(length - 1) {
            for byte in UInt8.min...UInt8.max {
                var changed = path
                changed[index] = byte
                #expect(ObjectKeyCheck.refusal(of: changed) == refusal(ofByte: byte, at: index, in: changed))
            }
            for text in ["/./", "/../", "//"] where index > 0 {
                var changed = path
                changed.replaceSubrange(index..<index, with: text.utf8)
                let expected: ObjectKeyRefusal =
                    text == "//" || changed.contains("//".utf8) ? .emptySegment : .dotSegment
                #expect(ObjectKeyCheck.refusal(of: changed) == expected, "\(String(decoding: changed, as: UTF8.self))")
            }
        }
    }

    /// The rejection of a path that is valid except for one byte.
    private func refusal(ofByte byte: UInt8, at index: Int, in path: [UInt8]) -> ObjectKeyRefusal? {
        switch byte {
        case 0..<0x20, 0x7F: .controlCharacter
        case 0x80...: .invalidUTF8
        case UInt8(ascii: "\\"): .backslash
        case UInt8(ascii: "/") where index == 0: .leadingSlash
        case UInt8(ascii: "/") where path.contains("//".utf8): .emptySegment
        case UInt8(ascii: ".") where path[..<index].last == UInt8(ascii: "/") && path[index + 1] == UInt8(ascii: "/"):
            .dotSegment
        default: nil
        }
    }
}
