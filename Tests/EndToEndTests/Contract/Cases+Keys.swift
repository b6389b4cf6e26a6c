import Foundation

extension StorageCase {
    /// "Naming Amazon S3 objects" in the user guide: any UTF-8 up to 1,024 bytes, without normalization.
    static let keys: [StorageCase] =
        [
            "a b  c.txt", "plus+plus", "100%", "a%20b", "a%2Fb", "caf\u{e9}", "cafe\u{301}", "日本/語", "😀.png", "it's",
            "\"quoted\"", "!*'();:@&=+$,?#[]", "~tilde-_.", "a&amp;b<c>", "{}|^`", "back\\slash", "x=1&X-Amz-Expires=9",
            "deep/er/and/deeper", ".hidden", "...", "CON", "tab\there", "line\nfeed", "bell\u{7}", "delete\u{7f}",
        ].map { stored("The key \(escaped($0)) is stored byte for byte", $0) } + [
            stored("A key may end in a slash", "folder/"),
            stored("A key may have empty segments", "a//b///c"),
            stored("A key may have a segment of one dot", "a/./b"),
            stored("A key may have a segment of two dots", "a/b/../c"),
            stored("A key may contain dots that would leave its folder", "../../../../../../../../tmp/escaped"),
            stored("A key may have 1024 bytes", long(1024)),
            .init(
                "A key of 1025 bytes is KeyTooLongError", [(.put("x", key: long(1025)), .error(400, "KeyTooLongError"))]
            ),
            .init(
                "Keys that look the same are different objects",
                zip(0..., alike).map { (.put("\($0)", key: $1), .ok) }
                    + zip(0..., alike).map { (.get(key: $1), .ok("\($0)")) }),
            .init(
                "An object may have the name of another object's folder",
                [
                    (.put("leaf", key: "a"), .ok), (.put("below", key: "a/b"), .ok), (.get(key: "a"), .ok("leaf")),
                    (.get(key: "a/b"), .ok("below")), (.delete(key: "a"), .bare(204)), (.get(key: "a/b"), .ok("below")),
                ]),
        ]

    private static let alike = ["k", "K", "k/", "/k", "k ", " k", "k+", "k%20", "k%2B", "caf\u{e9}", "cafe\u{301}"]

    private static func stored(_ name: String, _ key: String) -> StorageCase {
        StorageCase(
            name,
            [
                (.get(key: key), .error(404, "NoSuchKey")), (.put(key, key: key), .ok), (.get(key: key), .ok(key)),
                (.head(key: key), .bare(200)), (.delete(key: key), .bare(204)),
                (.get(key: key), .error(404, "NoSuchKey")),
            ])
    }

    /// A key with this many bytes including the prefix of every case; no segment is too long for a file name.
    private static func long(_ bytes: Int) -> String {
        let prefix = "contract-\(UUID().uuidString)/".utf8.count
        return String(String(repeating: String(repeating: "l", count: 99) + "/", count: 11).prefix(bytes - prefix - 1))
            + "x"
    }

    private static func escaped(_ key: String) -> String {
        String(key.unicodeScalars.flatMap { $0.escaped(asASCII: true) }.map { Character(String($0)) })
    }
}
