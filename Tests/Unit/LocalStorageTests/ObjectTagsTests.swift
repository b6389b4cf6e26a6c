import Testing

@testable import LocalStorage

@Suite("Tags of objects")
struct ObjectTagsTests {
    static let accepted: [(String, [String])] = [
        ("", []), ("&", []), ("a=b", ["a: b"]), ("a=b&c", ["a: b", "c: "]), ("a", ["a: "]), ("a=", ["a: "]),
        ("b=1&a=2", ["b: 1", "a: 2"]), ("a=b=c", ["a: b=c"]), ("a%20b=c%26d", ["a b: c&d"]), ("a+b=%2B", ["a b: +"]),
        ("%C3%A9=1", ["é: 1"]), ("a=1&A=1", ["a: 1", "A: 1"]),
        ((0...9).map { "t\($0)" }.joined(separator: "&"), (0...9).map { "t\($0): " }),
    ]

    @Test("A list of tags is decoded in its order; a tag may have no value", arguments: accepted)
    func decoded(_ text: String, _ tags: [String]) throws {
        let list = try ObjectTags(Array(text.utf8)).list
        #expect(
            list.map { "\(String(decoding: $0.key, as: UTF8.self)): \(String(decoding: $0.value, as: UTF8.self))" }
                == tags)
    }

    @Test(
        "Invalid lists are refused",
        arguments: [
            "=b", "a=1&=2", "a=1&a=2", "a&a=", "a=1&%61=2", "a=%zz", "a=%F", "%FF=1", "a=%C3",
            (0...10).map { "t\($0)=" }.joined(separator: "&"),
        ])
    func refused(_ text: String) {
        #expect { try ObjectTags(Array(text.utf8)) } throws: { ($0 as? S3Error)?.code == "InvalidArgument" }
    }
}
