import Foundation

extension StorageCase {
    /// "ListObjectsV2" in the API reference, with `encoding-type=url`.
    static let listings: [StorageCase] = [
        .init(
            "A listing has every key below the prefix, in the order of their bytes",
            puts(["b", "a b+c%.txt", "é", "a/b", "B", "a&<b"]) + [
                (
                    .list(),
                    .listed(
                        ["B", "a b+c%.txt", "a&<b", "a/b", "b", "é"], [],
                        ["IsTruncated": "false", "EncodingType": "url", "MaxKeys": "1000"])
                ), (.list("a/"), .listed(["a/b"])),
            ]),
        .init(
            "A listing has the size and the ETag of an object",
            [
                (.put("0123456789", key: "f/a"), .ok),
                (
                    .list("f/"),
                    .listed(["f/a"], [], ["Size": "10", "ETag": "\"781e5e245d69b566979b86e28d23f2c7\""])
                ),
            ]),
        .init(
            "A delimiter groups the keys of deeper folders",
            puts(["f/a", "f/b/1", "f/b/2", "f/c/d/e", "f/z", "g/a"]) + [
                (.list("f/", ["delimiter": "/"]), .listed(["f/a", "f/z"], ["f/b/", "f/c/"], ["Delimiter": "/"]))
            ]),
        .init(
            "A continuation token continues a listing",
            puts(["f/a", "f/b", "f/c"]) + [
                (
                    .list("f/", ["max-keys": "2"]),
                    .listed(["f/a", "f/b"], [], ["IsTruncated": "true", "MaxKeys": "2"])
                ),
                (
                    .list("f/", ["max-keys": "2", "continuation-token": "{token}"]),
                    .listed(["f/c"], [], ["IsTruncated": "false"])
                ),
            ]),
        .init(
            "A continuation token continues after a folder",
            puts(["f/a/1", "f/a/2", "f/b", "f/c/1"]) + [
                (.list("f/", ["max-keys": "1", "delimiter": "/"]), .listed([], ["f/a/"], ["IsTruncated": "true"])),
                (
                    .list("f/", ["max-keys": "2", "delimiter": "/", "continuation-token": "{token}"]),
                    .listed(["f/b"], ["f/c/"], ["IsTruncated": "false"])
                ),
            ]),
        .init(
            "start-after starts a listing after a key",
            puts(["f/a", "f/b", "f/c"]) + [
                (.list("f/", ["start-after": "{prefix}f/a"]), .listed(["f/b", "f/c"])),
                (.list("f/", ["start-after": "{prefix}f/bb"]), .listed(["f/c"])),
            ]),
        .init(
            "Neither start-after nor a token of another listing widens a listing",
            puts(["a/1", "a/2", "f/1", "g/1"]) + [
                (.list("f/", ["start-after": "{prefix}a/1"]), .listed(["f/1"])),
                (.list("f/", ["start-after": "{prefix}g/0"]), .listed([])),
                (.list("f/", ["start-after": "{prefix}f/../a/1"]), .listed(["f/1"])),
                (.list("a/", ["max-keys": "1"]), .listed(["a/1"], [], ["IsTruncated": "true"])),
                (.list("f/", ["continuation-token": "{token}"]), .listed(["f/1"])),
            ]),
        .init(
            "A listing follows deletions, and a prefix without objects is empty",
            puts(["f/a", "f/b"]) + [
                (.delete(key: "f/a"), .bare(204)), (.list("f/"), .listed(["f/b"])),
                (.delete(key: "f/b"), .bare(204)), (.list("f/"), .listed([], [], ["IsTruncated": "false"])),
            ]),
        .init(
            "A listing of another prefix than the signed one is SignatureDoesNotMatch",
            [
                (.list("f/").with { $0.changes = ["f%2F&": "&"] }, .error(403, "SignatureDoesNotMatch")),
                (
                    .list("f/").with { $0.changes = ["list-type=2": "list-type=2&delimiter=%2F"] },
                    .error(403, "SignatureDoesNotMatch")
                ),
            ]),
    ]

    private static func puts(_ keys: [String]) -> [(StorageRequest, StorageResponse)] {
        keys.map { (.put("x", key: $0), .ok) }
    }
}
