import Foundation

extension StorageCase {
    /// The smallest part that S3 accepts, except for the last one ("Amazon S3 multipart upload limits").
    private static let full = Data(repeating: 0x61, count: 5 << 20)
    /// MD5 of that part and of `the end`; S3 computes the object's ETag from both.
    private static let (fullETag, endETag) = ("79b281060d337b9b2b84ccf390adcf74", "406e28ff325208fc83b4dca7e88bff06")

    private static let create = (
        StorageRequest(
            method: "POST", signed: ["content-type": "application/x-big", "x-amz-meta-a": "1"]),
        StorageResponse.ok
    )
    private static let end = (part(2, Data("the end".utf8)), StorageResponse.ok("", ["etag": "\"\(endETag)\""]))
    private static let begin = (part(1, full), StorageResponse.ok("", ["etag": "\"\(fullETag)\""]))
    private static let both = [(1, fullETag), (2, endETag)]
    private static let noSuchUpload = StorageResponse.error(404, "NoSuchUpload")

    /// CreateMultipartUpload, UploadPart, ListParts, CompleteMultipartUpload, AbortMultipartUpload (S3 API reference).
    static let multipart: [StorageCase] = [
        .init(
            "Parts become one object with the headers of its creation",
            [
                create, end, begin, (.get(), .error(404, "NoSuchKey")),
                (complete(both), StorageResponse(status: 200, elements: ["ETag": "\"\(Self.combined)\""])),
                (
                    .head(),
                    .bare(
                        200,
                        [
                            "content-length": "\(full.count + 7)", "content-type": "application/x-big",
                            "x-amz-meta-a": "1", "etag": "\"\(Self.combined)\"",
                        ])
                ),
                (
                    .get(["Range": "bytes=\(full.count - 1)-"]),
                    .part("athe end", "bytes \(full.count - 1)-\(full.count + 6)/\(full.count + 7)")
                ),
                (list(), noSuchUpload),
            ]),
        .init(
            "The parts of an object are returned by number",
            [
                create, end, begin, (complete(both), .ok),
                (
                    .get(query: ["partNumber": "2"]),
                    StorageResponse(
                        status: 206,
                        headers: [
                            "content-range": "bytes \(full.count)-\(full.count + 6)/\(full.count + 7)",
                            "x-amz-mp-parts-count": "2", "content-length": "7",
                        ], body: Data("the end".utf8))
                ),
                (
                    .head().with { $0.query = ["partNumber": "1"] },
                    .bare(206, ["content-length": "\(full.count)", "x-amz-mp-parts-count": "2"])
                ),
                (.get(query: ["partNumber": "3"]), .error(416, "InvalidPartNumber")),
            ]),
        .init(
            "The same completion succeeds again until the object is replaced",
            [
                create, end, begin, (complete([(2, endETag)]), .ok),
                (complete([(2, endETag)]), StorageResponse(status: 200, elements: ["ETag": "\"\(Self.alone)\""])),
                (complete([(1, fullETag)]), noSuchUpload), (.get(), .ok("the end")), (.put("new"), .ok),
                (complete([(2, endETag)]), noSuchUpload), (.get(), .ok("new")),
            ]),
        .init(
            "A part sent again replaces the first, and only listed parts count",
            [
                create, (part(7, Data("not this".utf8)), .ok), (part(3, Data("old".utf8)), .ok),
                (part(3, Data("the end".utf8)), .ok), (complete([(3, endETag)]), .ok), (.get(), .ok("the end")),
            ]),
        .init(
            "Parts are listed by number, with ETag and size",
            [
                create, end, begin,
                (
                    list(),
                    StorageResponse(
                        status: 200,
                        elements: [
                            "PartNumber": "1", "Size": "\(full.count)", "ETag": "\"\(fullETag)\"",
                            "IsTruncated": "false", "UploadId": "{upload}",
                        ], headers: ["content-type": "application/xml"])
                ),
            ]),
        .init(
            "Parts are listed a page at a time",
            [
                create, end, begin,
                (
                    list(["max-parts": "1"]),
                    StorageResponse(
                        status: 200,
                        elements: [
                            "PartNumber": "1", "IsTruncated": "true", "NextPartNumberMarker": "1", "MaxParts": "1",
                        ])
                ),
                (
                    list(["part-number-marker": "1"]),
                    StorageResponse(status: 200, elements: ["PartNumber": "2", "IsTruncated": "false"])
                ),
            ]),
        .init(
            "An aborted upload no longer exists",
            [
                create, end, (abort(), .bare(204)), (abort(), noSuchUpload), (list(), noSuchUpload),
                (part(1, Data("x".utf8)), noSuchUpload), (complete([(2, endETag)]), noSuchUpload),
                (.get(), .error(404, "NoSuchKey")),
            ]),
        .init(
            "A multipart upload replaces the object only when it is complete",
            [
                (.put("old"), .ok), create, end, (.get(), .ok("old")), (complete([(2, endETag)]), .ok),
                (.get(), .ok("the end")),
            ]),
        .init(
            "If-None-Match: * applies to completing an upload too",
            [
                create, end, (.put("old"), .ok),
                (complete([(2, endETag)], ["if-none-match": "*"]), .error(412, "PreconditionFailed")),
                (.get(), .ok("old")),
                (.delete(), .bare(204)), (complete([(2, endETag)], ["if-none-match": "*"]), .ok),
                (.get(), .ok("the end")),
            ]),
        .init(
            "A completion that declares the object's size creates the object",
            [
                create, end, begin, (complete(both, ["x-amz-mp-object-size": "\(full.count + 7)"]), .ok),
                (.head(), .bare(200, ["content-length": "\(full.count + 7)"])),
            ]),
        .init(
            "A completion that declares another size is InvalidRequest",
            [
                create, end, (complete([(2, endETag)], ["x-amz-mp-object-size": "8"]), .error(400, "InvalidRequest")),
                (.get(), .error(404, "NoSuchKey")), (complete([(2, endETag)]), .ok),
            ]),
    ]

    /// "Special errors" of CompleteMultipartUpload, and NoSuchUpload for every operation.
    static let multipartRefusals: [StorageCase] = [
        refusal("A list with another ETag is InvalidPart", [(2, fullETag)], "InvalidPart"),
        refusal("A list with a part that was never sent is InvalidPart", [(1, fullETag), (3, endETag)], "InvalidPart"),
        refusal("A list out of order is InvalidPartOrder", both.reversed(), "InvalidPartOrder"),
        refusal("A list with a duplicate part is InvalidPartOrder", [both[0], both[1], both[1]], "InvalidPartOrder"),
        refusal("An empty list is MalformedXML", [], "MalformedXML"),
        .init(
            "A list that is not XML is MalformedXML",
            [create, end, (complete([]).with { $0.body = Data("parts please".utf8) }, .error(400, "MalformedXML"))]),
        .init(
            "A part under 5 MiB, except the last, is EntityTooSmall",
            [
                create, (part(1, Data("the end".utf8)), .ok), end,
                (complete([(1, endETag), (2, endETag)]), .error(400, "EntityTooSmall")),
                (.get(), .error(404, "NoSuchKey")),
            ]),
        .init(
            "A part's checksum allows only that content",
            [
                create,
                (
                    part(1, Data("abd".utf8)).with { $0.signed = ["content-md5": Sample.abcMD5] },
                    .error(400, "BadDigest")
                ), (complete([(1, endETag)]), .error(400, "InvalidPart")),
            ]),
        .init(
            "An upload with a checksum algorithm requires the checksum of every part, also in the list",
            [
                (checkedCreation, .ok), (part(1, Data("abc".utf8)), .error(400, "InvalidRequest")),
                (checked("abd"), .error(400, "BadDigest")), (checked("abc"), .ok),
                (complete([(1, Sample.abcETag)]), .error(400, "InvalidRequest")), (.get(), .error(404, "NoSuchKey")),
                (
                    complete([(1, Sample.abcETag)]).with {
                        $0.body = Data(
                            ("<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>\(Sample.abcETag)</ETag>"
                                + "<ChecksumSHA256>\(Sample.abcSHA256)</ChecksumSHA256></Part></CompleteMultipartUpload>")
                                .utf8)
                    }, .ok
                ), (.get(), .ok("abc")),
            ]),
        .init(
            "An unknown upload is NoSuchUpload",
            [list(), part(1, Data("x".utf8)), abort(), complete([(1, endETag)])].map { request in
                (request.with { $0.uploadId = "ab" + String(repeating: "0", count: 30) }, noSuchUpload)
            }),
        .init(
            "An upload belongs to its key",
            [
                create, end, (list().with { $0.key = "another" }, noSuchUpload),
                (complete([(2, endETag)]).with { $0.key = "another" }, noSuchUpload),
                (part(1, full).with { $0.key = "another" }, noSuchUpload),
                (abort().with { $0.key = "another" }, noSuchUpload), (.get(key: "another"), .error(404, "NoSuchKey")),
                (complete([(2, endETag)]), .ok), (.get(), .ok("the end")),
            ]),
        .init(
            "A part's URL allows neither another number nor another upload",
            [
                create,
                (
                    part(1, Data("x".utf8)).with { $0.changes = ["partNumber=1": "partNumber=2"] },
                    .error(403, "SignatureDoesNotMatch")
                ),
                (
                    part(1, Data("x".utf8)).with { $0.changes = ["uploadId=": "uploadId=0"] },
                    .error(403, "SignatureDoesNotMatch")
                ),
            ]),
    ]

    /// MD5 of the two parts' MD5s (16 bytes each), and the number of parts.
    private static let combined = "dc2bc882b07e1e67a48bed8997ce6caf-2"

    /// MD5 of the second part's MD5, and the number of parts.
    private static let alone = "18a4866f2b88ddc80840ab1911bd4aea-1"

    private static func part(_ number: Int, _ body: Data) -> StorageRequest {
        StorageRequest(method: "PUT", uploadId: "{upload}", partNumber: number, body: body)
    }

    private static let checkedCreation = StorageRequest(method: "POST", signed: ["x-amz-checksum-algorithm": "SHA256"])

    /// A part that must have the content `abc`.
    private static func checked(_ body: String) -> StorageRequest {
        part(1, Data(body.utf8)).with { $0.signed = ["x-amz-checksum-sha256": Sample.abcSHA256] }
    }

    private static func list(_ query: [String: String] = [:]) -> StorageRequest {
        StorageRequest(query: query, uploadId: "{upload}")
    }

    private static func abort() -> StorageRequest { StorageRequest(method: "DELETE", uploadId: "{upload}") }

    private static func complete(_ parts: [(Int, String)], _ signed: [String: String] = [:]) -> StorageRequest {
        let list = parts.map { "<Part><PartNumber>\($0)</PartNumber><ETag>&quot;\($1)&quot;</ETag></Part>" }.joined()
        let body = Data("<CompleteMultipartUpload>\(list)</CompleteMultipartUpload>".utf8)
        return StorageRequest(method: "POST", signed: signed, uploadId: "{upload}", body: body)
    }

    /// The upload stays open: it still completes with the right list.
    private static func refusal(_ name: String, _ parts: [(Int, String)], _ code: String) -> StorageCase {
        StorageCase(
            name,
            [
                create, begin, end, (complete(parts), .error(400, code)), (.get(), .error(404, "NoSuchKey")),
                (complete(both), .ok),
            ])
    }
}
