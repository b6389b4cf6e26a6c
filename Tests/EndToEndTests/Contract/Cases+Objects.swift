import Foundation

extension StorageCase {
    /// PutObject, GetObject, HeadObject, DeleteObject in the S3 API reference.
    static let objects: [StorageCase] = [
        .init(
            "An object is returned with its type, length, MD5 as ETag, and date",
            [
                (
                    .put("0123456789", headers: ["content-type": "text/x-log; charset=utf-8"]),
                    .ok("", ["etag": "\"\(Sample.etag)\""])
                ),
                (
                    .get(),
                    .ok(
                        "0123456789",
                        [
                            "content-type": "text/x-log; charset=utf-8", "content-length": "10",
                            "etag": "\"\(Sample.etag)\"", "accept-ranges": "bytes", "last-modified": "{modified}",
                        ])
                ),
                (
                    .head(),
                    .bare(
                        200,
                        [
                            "content-type": "text/x-log; charset=utf-8", "content-length": "10",
                            "etag": "\"\(Sample.etag)\"", "accept-ranges": "bytes", "last-modified": "{modified}",
                        ])
                ),
            ]),
        .init(
            "An object without a type is binary/octet-stream",
            [(.put("x"), .ok), (.get(), .ok("x", ["content-type": "binary/octet-stream"]))]),
        .init(
            "An empty object is an object",
            [
                (.put("", headers: ["content-type": "text/plain"]), .ok("", ["etag": "\"\(Sample.emptyETag)\""])),
                (.get(), .ok("", ["content-length": "0", "content-type": "text/plain"])),
                (.head(), .bare(200, ["content-length": "0"])),
            ]),
        .init(
            "An upload replaces the object and all its metadata",
            [
                (.put("old", headers: ["content-type": "text/plain", "x-amz-meta-a": "1"]), .ok),
                (.put("newer", headers: ["content-type": "text/csv"]), .ok),
                (.get(), .ok("newer", ["content-type": "text/csv", "x-amz-meta-a": nil])),
            ]),
        .init(
            withObject: "A deleted object is gone, and deleting it again is no error",
            [
                (.delete(), .bare(204)), (.get(), .error(404, "NoSuchKey")), (.head(), .bare(404)),
                (.delete(), .bare(204)),
            ]),
        .init(
            "A missing object is NoSuchKey, and for HEAD a response without content",
            [
                (
                    .get(),
                    StorageResponse(
                        status: 404, elements: ["Code": "NoSuchKey"], headers: ["content-type": "application/xml"])
                ),
                (.head(), .bare(404)),
                (.get(["Range": "bytes=0-1"]), .error(404, "NoSuchKey")),
            ]),
        .init(
            "Another bucket's object is NoSuchBucket",
            [(StorageRequest(signing: ["bucket": "no-such-bucket"]), .error(404, "NoSuchBucket"))]),
        .init(
            withObject: "An object that was not uploaded in parts has one part",
            [
                (
                    .get(query: ["partNumber": "1"]),
                    StorageResponse(
                        status: 206, headers: ["content-range": "bytes 0-9/10", "x-amz-mp-parts-count": nil],
                        body: Data("0123456789".utf8))
                ), (.get(query: ["partNumber": "2"]), .error(416, "InvalidPartNumber")),
                (.get(["Range": "bytes=0-1"], query: ["partNumber": "1"]), .error(400, "InvalidRequest")),
            ]),
        .init(
            "A method not supported for objects is MethodNotAllowed",
            [(.get().with { $0.sentMethod = "PATCH" }, .error(405, "MethodNotAllowed"))]),
    ]

    /// What PutObject stores and GetObject returns; the response-* parameters of GetObject.
    static let kept: [StorageCase] = [
        .init(
            "Metadata and HTTP headers are stored",
            [(.put("x", headers: Sample.kept), .ok), (.get(), .ok("x", Sample.kept.mapValues { $0 }))]),
        .init(
            "HEAD returns the stored headers",
            [(.put("x", headers: Sample.kept), .ok), (.head(), .bare(200, Sample.kept.mapValues { $0 }))]),
        .init(
            "Every response-* parameter overrides the stored header",
            [
                (.put("x", headers: Sample.kept), .ok),
                (
                    .get(
                        query: [
                            "response-content-type": "text/x-odd", "response-content-language": "de",
                            "response-expires": "Sat, 01 Jan 2022 00:00:00 GMT", "response-cache-control": "no-cache",
                            "response-content-disposition": "attachment; filename=\"a b+c.txt\"",
                            "response-content-encoding": "x-odd",
                        ]),
                    .ok(
                        "x",
                        [
                            "content-type": "text/x-odd", "content-language": "de", "cache-control": "no-cache",
                            "expires": "Sat, 01 Jan 2022 00:00:00 GMT", "content-encoding": "x-odd",
                            "content-disposition": "attachment; filename=\"a b+c.txt\"",
                        ])
                ),
                (.get(), .ok("x", Sample.kept.mapValues { $0 })),
            ]),
        .init(
            withObject: "A response-* parameter also serves a range",
            [
                (
                    .get(["Range": "bytes=0-0"], query: ["response-content-type": "text/x-odd"]),
                    StorageResponse(
                        status: 206, headers: ["content-type": "text/x-odd", "content-range": "bytes 0-0/10"],
                        body: Data("0".utf8))
                )
            ]),
        .init(
            "A checksum is stored and returned on request",
            [
                (.put("abc", headers: ["x-amz-checksum-sha256": Sample.abcSHA256]), .ok),
                (
                    StorageRequest(signed: ["x-amz-checksum-mode": "ENABLED"]),
                    .ok("abc", ["x-amz-checksum-sha256": Sample.abcSHA256])
                ),
                (.get(), .ok("abc", ["x-amz-checksum-sha256": nil])),
            ]),
    ]

    /// The storage class, encryption and tags of PutObject and CreateMultipartUpload.
    static let settings: [StorageCase] = [
        .init(
            "The encryption of an object is returned",
            [
                (
                    .put("x", headers: ["x-amz-server-side-encryption": "AES256"]),
                    StorageResponse(status: 200, headers: ["x-amz-server-side-encryption": "AES256"])
                ),
                (.head(), .bare(200, ["x-amz-server-side-encryption": "AES256"])),
            ]),
        .init(
            "The default storage class is not returned",
            [
                (.put("x", headers: ["x-amz-storage-class": "STANDARD"]), .ok),
                (.head(), .bare(200, ["x-amz-storage-class": nil])),
            ]),
        .init(
            "The number of tags is returned",
            [
                (.put("x", headers: ["x-amz-tagging": "project=a%20b&scan="]), .ok),
                (.get(), .ok("x", ["x-amz-tagging-count": "2"])),
            ]),
        .init(
            "More than 10 tags are refused",
            [
                (
                    .put("x", headers: ["x-amz-tagging": (0...10).map { "t\($0)=" }.joined(separator: "&")]),
                    StorageResponse(status: 400)
                ), (.get(), .error(404, "NoSuchKey")),
            ]),
        .init(
            "A changed setting is SignatureDoesNotMatch",
            [
                ("x-amz-storage-class", "STANDARD", "GLACIER"), ("x-amz-tagging", "a=b", "a=c"),
                ("x-amz-server-side-encryption", "AES256", ""), ("cache-control", "no-store", "public"),
                ("content-disposition", "attachment", ""),
            ].map { name, signed, sent in
                (
                    .put("x", headers: [name: signed]).with { $0.headers = [name: sent] },
                    .error(403, "SignatureDoesNotMatch")
                )
            }),
    ]
}

/// Contents with digests that are written here instead of computed by the code under test.
enum Sample {
    /// MD5 of `0123456789` and of empty content in hexadecimal (RFC 1321 has the latter).
    static let etag = "781e5e245d69b566979b86e28d23f2c7"
    static let emptyETag = "d41d8cd98f00b204e9800998ecf8427e"
    /// SHA-256 (FIPS 180-2 appendix B.1) and MD5 (RFC 1321) of `abc` in base64.
    static let abcSHA256 = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
    static let abcMD5 = "kAFQmDzST7DWlj99KOF/cg=="
    /// The latter in hexadecimal.
    static let abcETag = "900150983cd24fb0d6963f7d28e17f72"

    static let kept = [
        "content-type": "image/svg+xml", "cache-control": "max-age=60, private", "content-language": "en",
        "content-disposition": "inline; filename=\"cat.svg\"", "content-encoding": "identity",
        "expires": "Fri, 01 Jan 2100 00:00:00 GMT", "x-amz-meta-owner": "a caller", "x-amz-meta-n": "42",
    ]
}
