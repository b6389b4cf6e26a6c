import Testing

@testable import PresignService

@Suite("Key check")
struct ObjectKeyCheckTests {
    @Test(
        "Paths that may be keys",
        arguments: [
            "a", "a/b", "...", "a/.../b", ".a", "a.", "a/..b", "a/b..", "100%25.txt", "a%2fb", "%", "%2", "%zz",
            "a b+c&d=é", "..\u{301}/f", "\u{301}alice/f", "a/\u{85}/b", "a/%00",
            "%252525", "a/%2e%2e%2e/b", String(repeating: "é", count: 512),
        ])
    func accepted(_ path: String) {
        #expect(ObjectKeyCheck.refusal(of: Array(path.utf8)) == nil)
    }

    @Test(
        "Paths that are refused, and why",
        arguments: [
            ("", .empty), ("/", .leadingSlash), ("/a", .leadingSlash), ("a/", .trailingSlash), ("a//b", .emptySegment),
            ("a\\b", .backslash), ("a\u{0}", .controlCharacter), ("a\n/b", .controlCharacter),
            ("a\u{7f}", .controlCharacter), (".", .dotSegment), ("..", .dotSegment), ("../a", .dotSegment),
            ("a/./b", .dotSegment), ("a/..", .dotSegment), ("%2e", .encodedDotSegment),
            ("a/%2e%2E/b", .encodedDotSegment), ("a/.%2e/b", .encodedDotSegment), ("a/%252e./b", .encodedDotSegment),
            ("a/%25%32%65%2e", .encodedDotSegment), ("a%2f..%2fb", .encodedDotSegment),
            ("a%252f%252e%252e%252fb", .encodedDotSegment), ("%2e%2fa", .encodedDotSegment),
            (String(repeating: "é", count: 513), .tooLong), ("//a", .leadingSlash),
        ] as [(String, ObjectKeyRefusal)])
    func refused(path: String, refusal: ObjectKeyRefusal) {
        #expect(ObjectKeyCheck.refusal(of: Array(path.utf8)) == refusal)
    }

    @Test(
        "Bytes that are not UTF-8", arguments: [[0xFF], [0x61, 0xC3], [0xED, 0xA0, 0x80], [0xC0, 0xAF]] as [[UInt8]])
    func invalidUTF8(_ path: [UInt8]) {
        #expect(ObjectKeyCheck.refusal(of: path) == .invalidUTF8)
    }
}
