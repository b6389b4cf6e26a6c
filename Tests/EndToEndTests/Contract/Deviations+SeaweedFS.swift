extension Deviation {
    /// SeaweedFS 4.48.
    static let seaweedfs: [Deviation] = [
        .init(
            "A completion that declares another size is InvalidRequest",
            ["3: status 200", "3: Code none", "4: status 200", "4: Code none"],
            because: "It ignores x-amz-mp-object-size."),
        .init(
            "A URL with a future date is AccessDenied",
            ["1: status 200", "1: Code none", "2: status 200", "2: Code none"],
            because: "It does not check whether the signing date is in the future."),
        .init(
            "An invalid checksum is InvalidRequest",
            ["1: Code BadDigest"],
            because: "It compares the texts without validating them first."),
        .init(
            "An invalid date is AuthorizationQueryParametersError",
            ["1: Code MalformedDate"],
            because: "It uses another code, which S3 documents for policies."),
        .init(
            "A download may send a range and conditions unsigned, but no x-amz- header",
            ["3: Code SignatureDoesNotMatch"],
            because: "It includes an unsigned x-amz- header in the signature."),
        .init(
            "A key may end in a slash",
            ["3: another body"],
            because: "It treats such a key as a folder without content."),
        .init(
            "A key may have a segment of one dot",
            [
                "1: status 400", "1: Code InvalidRequest", "2: status 400", "3: status 400", "3: another body",
                "4: status 400", "5: status 400", "5: another body", "6: status 400", "6: Code InvalidRequest",
            ],
            because: "It uses keys as file system paths and rejects those that a path would normalize."),
        .init(
            "A key may have a segment of two dots",
            [
                "1: status 400", "1: Code InvalidRequest", "2: status 400", "3: status 400", "3: another body",
                "4: status 400", "5: status 400", "5: another body", "6: status 400", "6: Code InvalidRequest",
            ],
            because: "It uses keys as file system paths and rejects those that a path would normalize."),
        .init(
            "A key may contain dots that would leave its folder",
            [
                "1: status 400", "1: Code InvalidRequest", "2: status 400", "3: status 400", "3: another body",
                "4: status 400", "5: status 400", "5: another body", "6: status 400", "6: Code InvalidRequest",
            ],
            because: "It uses keys as file system paths and rejects those that a path would normalize."),
        .init(
            "A list with a duplicate part is InvalidPartOrder",
            ["4: status 200", "4: Code none", "5: status 200", "5: Code none"],
            because: "It sorts the list and uses each number once."),
        .init(
            "A listing has every key below the prefix, in the order of their bytes",
            [#"7: Contents><Key ["B", "a/b", "a b+c%.txt", "a&<b", "b", "é"]"#],
            because: "It sorts a folder by its name without the slash."),
        .init(
            "A part's checksum allows only that content",
            ["3: status 404", "3: Code NoSuchUpload"],
            because: "It does not know an upload without parts."),
        .init(
            "A preflight for a method without a rule is AccessForbidden",
            ["1: status 200", "1: Code none"],
            because: "It allows every method for an origin with a rule."),
        .init(
            "A preflight from another origin is AccessForbidden",
            ["1: Code AccessDenied"],
            because: "It uses another code."),
        .init(
            "A range without numbers is ignored (bytes=a-b)",
            ["2: status 416", "2: content-range: bytes */10", "2: another body"],
            because: "It rejects a malformed range, as RFC 9110 allows."),
        .init(
            "A range beyond the end by more than a 64-bit number (bytes=8-99999999999999999999)",
            [
                "2: status 416", "2: content-range: bytes */10", "2: content-type: application/xml", "2: etag: none",
                "2: another body",
            ],
            because: "It uses 64-bit numbers and treats this one as malformed."),
        .init(
            "A range that ends before it begins is ignored (bytes=5-2)",
            ["2: status 416", "2: content-range: bytes */10", "2: another body"],
            because: "It rejects a malformed range, as RFC 9110 allows."),
        .init(
            "An aborted upload no longer exists",
            ["4: status 204", "4: Code none"],
            because: "Aborting never fails."),
        .init(
            "An empty list is MalformedXML",
            ["4: status 404", "4: Code NoSuchUpload"],
            because: "It looks up the parts before it reads the list."),
        .init(
            "An expiry that is not a number is AuthorizationQueryParametersError",
            ["1: Code MalformedDate"],
            because: "It uses another code, which S3 documents for policies."),
        .init(
            "An object that was not uploaded in parts has one part",
            ["2: x-amz-mp-parts-count: 1", "4: status 206", "4: Code none"],
            because: "It counts that part, and serves a range of it."),
        .init(
            "An object without a type is binary/octet-stream",
            ["2: content-type: text/plain; charset=utf-8"],
            because: "It guesses the type from the content."),
        .init(
            "An upload without a length is MissingContentLength",
            ["1: status 200", "1: Code none"],
            because: "It treats the body as empty."),
        .init(
            "Another algorithm is AuthorizationQueryParametersError",
            ["1: Code InvalidRequest"],
            because: "It uses another code."),
        .init(
            "Another region is AuthorizationQueryParametersError",
            ["1: status 200", "1: Code none", "2: status 200", "2: Code none"],
            because: "It verifies with the region in the URL."),
        .init(
            "HEAD with a range beyond the end is 416",
            ["2: status 200"],
            because: "It ignores ranges for HEAD."),
        .init(
            "HEAD with a range has the headers of GET",
            ["2: status 200", "2: content-length: 10", "2: content-range: none"],
            because: "It ignores ranges for HEAD."),
        .init(
            "If-Match on a missing object is NoSuchKey",
            ["1: status 412", "1: Code PreconditionFailed"],
            because: "It evaluates the condition for a missing object too."),
        .init(
            "If-Modified-Since without a valid date: 200",
            ["3: status 400", "3: another body", "4: status 400"],
            because: "It rejects a malformed date."),
        .init(
            "If-None-Match with the ETag, weakly compared: 304",
            ["3: status 200", "3: another body", "4: status 200"],
            because: "It compares the texts."),
        .init(
            "If-Range with another ETag returns the whole object",
            ["2: status 206", "2: another body"],
            because: "It does not support If-Range."),
        .init(
            "If-Unmodified-Since without a valid date: 200",
            ["3: status 400", "3: another body", "4: status 400"],
            because: "It rejects a malformed date."),
        .init(
            "Keys that look the same are different objects",
            ["3: status 409", "12: another body", "14: status 404", "14: another body"],
            because: "It uses keys as paths: a file cannot be a folder, and a leading slash is ignored."),
        .init(
            "Unsigned metadata is AccessDenied",
            ["1: Code SignatureDoesNotMatch"],
            because: "It includes an unsigned x-amz- header in the signature."),
        .init(
            "More than 5 GiB in one request is EntityTooLarge, before the body is sent",
            ["1: status 100", "1: Code none"],
            because: "It requests the content first."),
        .init(
            "No signature is AuthorizationQueryParametersError",
            ["1: Code MissingFields"],
            because: "It uses another code."),
        .init(
            "OPTIONS without preflight headers is BadRequest",
            ["1: status 200", "1: Code none"],
            because: "It accepts any OPTIONS request."),
        .init(
            "An upload with a checksum algorithm requires the checksum of every part, also in the list",
            ["2: status 200", "2: Code none"],
            because: "It requires the checksum in the list only."),
        .init(
            "The same completion succeeds again until the object is replaced",
            ["6: status 200", "6: Code none"],
            because: "It does not compare the list with that of the first completion."),
        .init(
            "More than 10 tags are refused",
            ["1: status 200", "2: status 200", "2: Code none"],
            because: "It does not limit the number of tags of an upload."),
        .init(
            "The default storage class is not returned",
            ["2: x-amz-storage-class: STANDARD"],
            because: "It returns every storage class."),
    ]
}
