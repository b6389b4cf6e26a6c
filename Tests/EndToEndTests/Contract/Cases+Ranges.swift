import Foundation

extension StorageCase {
    /// GetObject's Range (S3 API reference; RFC 9110, section 14). S3 serves one range per request.
    static let ranges: [StorageCase] =
        [
            part("The first bytes", "bytes=0-3", "0123", "bytes 0-3/10"),
            part("One byte", "bytes=5-5", "5", "bytes 5-5/10"),
            part("From a byte to the end", "bytes=7-", "789", "bytes 7-9/10"),
            part("The last bytes", "bytes=-3", "789", "bytes 7-9/10"),
            part("More last bytes than there are", "bytes=-100", "0123456789", "bytes 0-9/10"),
            part("A range that extends beyond the end", "bytes=8-100", "89", "bytes 8-9/10"),
            part(
                "A range beyond the end by more than a 64-bit number", "bytes=8-99999999999999999999", "89",
                "bytes 8-9/10"),
            part("The whole object as a range", "bytes=0-", "0123456789", "bytes 0-9/10"),
            beyond("A range beyond the end", "bytes=10-"),
            beyond("A range far beyond the end", "bytes=100-200"),
            beyond("No last bytes", "bytes=-0"),
            whole("A range that ends before it begins", "bytes=5-2"),
            whole("A range without numbers", "bytes=a-b"),
            whole("A range in another unit", "items=0-3"),
            whole("A range without a unit", "0-3"),
            whole("Several ranges", "bytes=0-1,4-5"),
        ] + [
            .init(
                withObject: "HEAD with a range has the headers of GET",
                [(.head(["Range": "bytes=0-3"]), .bare(206, ["content-range": "bytes 0-3/10", "content-length": "4"]))]
            ),
            .init(
                withObject: "HEAD with a range beyond the end is 416", [(.head(["Range": "bytes=10-"]), .bare(416))]),
            .init(
                "An empty object has no range",
                [(.put(""), .ok), (.get(["Range": "bytes=0-"]), .error(416, "InvalidRange"))]),
            .init(
                withObject: "416 names the length",
                [
                    (
                        .get(["Range": "bytes=10-"]),
                        StorageResponse(status: 416, headers: ["content-range": "bytes */10"])
                    )
                ]),
        ]

    private static func part(_ name: String, _ range: String, _ body: String, _ served: String) -> StorageCase {
        StorageCase(
            withObject: name + " (\(range))",
            [
                (
                    .get(["Range": range]),
                    StorageResponse(
                        status: 206,
                        headers: [
                            "content-range": served,
                            "content-type": "text/plain", "etag": "\"\(Sample.etag)\"", "accept-ranges": "bytes",
                        ], body: Data(body.utf8))
                )
            ])
    }

    private static func beyond(_ name: String, _ range: String) -> StorageCase {
        StorageCase(
            withObject: name + " is InvalidRange (\(range))", [(.get(["Range": range]), .error(416, "InvalidRange"))])
    }

    private static func whole(_ name: String, _ range: String) -> StorageCase {
        StorageCase(
            withObject: name + " is ignored (\(range))",
            [(.get(["Range": range]), .ok("0123456789", ["content-range": nil]))])
    }
}
