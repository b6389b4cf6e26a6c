import Foundation

extension StorageCase {
    /// Constraints by signed headers, and PutObject's integrity checks ("Checking object integrity", S3 user guide).
    static let constraints: [StorageCase] = [
        .init(
            "A signed length allows only that length",
            [
                (bounded("1234"), .error(403, "SignatureDoesNotMatch")),
                (bounded(""), .error(403, "SignatureDoesNotMatch")),
                (bounded("123456"), .error(403, "SignatureDoesNotMatch")), (.get(), .error(404, "NoSuchKey")),
                (bounded("12345"), .ok), (.get(), .ok("12345")),
            ]),
        digest("A signed SHA-256", "x-amz-checksum-sha256", Sample.abcSHA256),
        digest("A signed MD5", "content-md5", Sample.abcMD5),
        digest("A signed CRC32", "x-amz-checksum-crc32", "NSRBwg=="),
        digest("A signed CRC32C", "x-amz-checksum-crc32c", "Nks/tw=="),
        digest("A signed SHA-1", "x-amz-checksum-sha1", "qZk+NkcGgWq6PiVxeFDCbJzQ2J0="),
        .init(
            "An invalid checksum is InvalidRequest",
            [(.put("abc", headers: ["x-amz-checksum-sha256": "abc"]), .error(400, "InvalidRequest"))]),
        .init(
            "An invalid MD5 is InvalidDigest",
            [(.put("abc", headers: ["content-md5": "abc"]), .error(400, "InvalidDigest"))]),
        .init(
            "A missing checksum is SignatureDoesNotMatch",
            [
                (
                    .put("abd", headers: ["x-amz-checksum-sha256": Sample.abcSHA256]).with {
                        $0.headers["x-amz-checksum-sha256"] = ""
                    }, .error(403, "SignatureDoesNotMatch")
                ), (.get(), .error(404, "NoSuchKey")),
            ]),
        .init(
            "More than 5 GiB in one request is EntityTooLarge, before the body is sent",
            [
                (
                    .put("x").with {
                        $0.headers = ["Content-Length": "5368709121", "Expect": "100-continue"]
                        $0.timeout = 3
                    }, .error(400, "EntityTooLarge")
                )
            ]),
        .init(
            "An upload without a length is MissingContentLength",
            [(StorageRequest(method: "PUT"), .error(411, "MissingContentLength"))]),
    ]

    private static func bounded(_ body: String) -> StorageRequest {
        // curl sets the length itself; the signed one is only in the URL.
        .put(body).with {
            $0.signed = ["content-length": "5"]
            $0.headers = ["content-length": "\(body.utf8.count)"]
        }
    }

    private static func digest(_ name: String, _ header: String, _ value: String) -> StorageCase {
        StorageCase(
            name + " allows only that content",
            [
                (.put("abd", headers: [header: value]), .error(400, "BadDigest")), (.get(), .error(404, "NoSuchKey")),
                (.put("abc", headers: [header: value]), .ok), (.get(), .ok("abc")),
            ])
    }
}
