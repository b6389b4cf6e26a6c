extension Deviation {
    /// OpenStack Swift 2.38.3 with its S3 API.
    static let swift: [Deviation] = [
        .init(
            "A completion that declares another size is InvalidRequest",
            ["3: status 200", "3: Code none", "4: status 200", "4: Code none"],
            because: "It ignores x-amz-mp-object-size."),
        .init(
            "416 names the length",
            ["2: content-range: none"],
            because: "It omits the header, as RFC 9110 allows."),
        .init(
            "A URL with a future date is AccessDenied",
            ["1: status 200", "1: Code none", "2: status 200", "2: Code none"],
            because: "It does not check whether the signing date is in the future."),
        .init(
            "A checksum is stored and returned on request",
            ["2: x-amz-checksum-sha256: none"],
            because: "It verifies checksums but does not store them."),
        .init(
            "An invalid date is AuthorizationQueryParametersError",
            ["1: status 403", "1: Code AccessDenied"],
            because: "Every error in the query is AccessDenied."),
        .init(
            "A download may send a range and conditions unsigned, but no x-amz- header",
            ["3: status 200", "3: Code none"],
            because: "It accepts unsigned x-amz- headers with a download."),
        .init(
            "A truncated scope is AuthorizationQueryParametersError",
            ["1: status 403", "1: Code AccessDenied"],
            because: "Every error in the query is AccessDenied."),
        .init(
            "An unknown access key is InvalidAccessKeyId",
            ["1: Code SignatureDoesNotMatch"],
            because: "It does not say whether the key or the signature is wrong."),
        .init(
            "Another algorithm is AuthorizationQueryParametersError",
            ["1: Code InvalidArgument"],
            because: "It uses another code."),
        .init(
            "If-Match on a missing object is NoSuchKey",
            ["1: status 501", "1: Code NotImplemented"],
            because: "It does not support If-Match on uploads."),
        .init(
            "If-Match takes precedence over If-Unmodified-Since: 200",
            ["3: status 412", "3: another body", "4: status 412"],
            because: "It combines the two conditions, as HTTP did before RFC 7232."),
        .init(
            "If-Match replaces only the version that it names",
            ["2: status 501", "2: Code NotImplemented", "4: status 501", "5: another body"],
            because: "It does not support If-Match on uploads."),
        .init(
            "If-None-Match takes precedence over If-Modified-Since when it is met: 200",
            ["3: status 304", "3: another body", "4: status 304"],
            because: "It combines the two conditions, as HTTP did before RFC 7232."),
        .init(
            "If-None-Match with the ETag, weakly compared: 304",
            ["3: status 200", "3: another body", "4: status 200"],
            because: "It compares the texts."),
        .init(
            "If-Range with another ETag returns the whole object",
            ["2: status 206", "2: another body"],
            because: "It does not support If-Range."),
        .init(
            "More than 5 GiB in one request is EntityTooLarge, before the body is sent",
            ["1: status 100", "1: Code none"],
            because: "It asks for the content first."),
        .init(
            "No expiry is AuthorizationQueryParametersError",
            ["1: status 403", "1: Code AccessDenied"],
            because: "Every error in the query is AccessDenied."),
        .init(
            "No query is AccessDenied",
            ["1: status 400", "1: Code none"],
            because: "It treats an unsigned request as one of its own API."),
        .init(
            "No signature is AuthorizationQueryParametersError",
            ["1: status 403", "1: Code AccessDenied"],
            because: "Every error in the query is AccessDenied."),
        .init(
            "Parts become one object with the headers of its creation",
            ["8: status 200", "8: Code none"],
            because: "It lists the parts of a completed upload."),
        .init(
            "Several ranges is ignored (bytes=0-1,4-5)",
            ["2: status 206", "2: another body"],
            because: "It serves them all, as multipart/byteranges."),
        .init(
            "A changed setting is SignatureDoesNotMatch",
            ["1: status 400", "1: Code InvalidStorageClass", "2: status 501", "2: Code NotImplemented"],
            because: "It looks at storage class and tags before it verifies the signature."),
        .init(
            "An upload with a checksum algorithm requires the checksum of every part, also in the list",
            ["2: status 200", "2: Code none", "5: status 200", "5: Code none", "6: status 200", "6: Code none"],
            because: "It does not store the algorithm of an upload."),
        .init(
            "More than 10 tags are refused",
            ["1: status 501"],
            because: "It has no tags in the headers of an upload."),
        .init(
            "The encryption of an object is returned",
            [
                "1: status 501", "1: x-amz-server-side-encryption: none", "2: status 404",
                "2: x-amz-server-side-encryption: none",
            ],
            because: "It has no encryption by request."),
        .init(
            "The number of tags is returned",
            ["1: status 501", "2: status 404", "2: x-amz-tagging-count: none", "2: another body"],
            because: "It has no tags in the headers of an upload."),
    ]
}
