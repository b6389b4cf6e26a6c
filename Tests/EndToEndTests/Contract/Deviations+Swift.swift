extension Deviation {
    /// OpenStack Swift 2.38.3 with its S3 API.
    static let swift: [Deviation] = [
        .init(
            "416 names the length",
            ["2: content-range: none"],
            because: "It leaves the header out, as RFC 9110 lets it."),
        .init(
            "A URL whose time is still to come is AccessDenied",
            ["1: status 200", "1: Code none", "2: status 200", "2: Code none"],
            because: "It does not look whether the date of signing is past."),
        .init(
            "A checksum is kept and shown when asked for",
            ["2: x-amz-checksum-sha256: none"],
            because: "It verifies checksums and does not keep them."),
        .init(
            "A date that is none is AuthorizationQueryParametersError",
            ["1: status 403", "1: Code AccessDenied"],
            because: "Whatever is wrong with the query is AccessDenied there."),
        .init(
            "A download may send a range and conditions unsigned, but no x-amz- header",
            ["3: status 200", "3: Code none"],
            because: "It lets unsigned x-amz- headers pass with a download."),
        .init(
            "A scope that is cut short is AuthorizationQueryParametersError",
            ["1: status 403", "1: Code AccessDenied"],
            because: "Whatever is wrong with the query is AccessDenied there."),
        .init(
            "An unknown access key is InvalidAccessKeyId",
            ["1: Code SignatureDoesNotMatch"],
            because: "It does not say whether the key or the signature is wrong."),
        .init(
            "Another algorithm is AuthorizationQueryParametersError",
            ["1: Code InvalidArgument"],
            because: "It has another code for it."),
        .init(
            "If-Match on nothing is NoSuchKey",
            ["1: status 501", "1: Code NotImplemented"],
            because: "It does not know If-Match on uploads."),
        .init(
            "If-Match outdoes If-Unmodified-Since: 200",
            ["3: status 412", "3: another body", "4: status 412"],
            because: "It joins the two conditions, as HTTP did before RFC 7232."),
        .init(
            "If-Match replaces the object only while it is the one named",
            ["2: status 501", "2: Code NotImplemented", "4: status 501", "5: another body"],
            because: "It does not know If-Match on uploads."),
        .init(
            "If-None-Match outdoes If-Modified-Since when it is met: 200",
            ["3: status 304", "3: another body", "4: status 304"],
            because: "It joins the two conditions, as HTTP did before RFC 7232."),
        .init(
            "If-None-Match with the ETag, weakly compared: 304",
            ["3: status 200", "3: another body", "4: status 200"],
            because: "It compares texts."),
        .init(
            "If-Range with another ETag gives the whole object",
            ["2: status 206", "2: another body"],
            because: "It does not know If-Range."),
        .init(
            "More than 5 GiB in one piece is EntityTooLarge, before they are sent",
            ["1: status 100", "1: Code none"],
            because: "It asks for the content first."),
        .init(
            "No expiry is AuthorizationQueryParametersError",
            ["1: status 403", "1: Code AccessDenied"],
            because: "Whatever is wrong with the query is AccessDenied there."),
        .init(
            "No query is AccessDenied",
            ["1: status 400", "1: Code none"],
            because: "Without a signature it takes the request for one of its own API."),
        .init(
            "No signature is AuthorizationQueryParametersError",
            ["1: status 403", "1: Code AccessDenied"],
            because: "Whatever is wrong with the query is AccessDenied there."),
        .init(
            "Parts become one object, with what its creation said",
            ["8: status 200", "8: Code none"],
            because: "It lists the parts of an upload that is complete."),
        .init(
            "Several ranges is ignored (bytes=0-1,4-5)",
            ["2: status 206", "2: another body"],
            because: "It serves them all, as multipart/byteranges."),
    ]
}
