extension Deviation {
    /// SeaweedFS 4.48.
    static let seaweedfs: [Deviation] = [
        .init(
            "A URL whose time is still to come is AccessDenied",
            ["1: status 200", "1: Code none", "2: status 200", "2: Code none"],
            because: "It does not look whether the date of signing is past."),
        .init(
            "A checksum that is none is InvalidRequest",
            ["1: Code BadDigest"],
            because: "It compares texts and does not look at their form first."),
        .init(
            "A date that is none is AuthorizationQueryParametersError",
            ["1: Code MalformedDate"],
            because: "It has a code of its own for it, one that S3 documents for policies."),
        .init(
            "A download may send a range and conditions unsigned, but no x-amz- header",
            ["3: Code SignatureDoesNotMatch"],
            because: "It takes an unsigned x-amz- header into what is to be signed."),
        .init(
            "A key may end in a slash",
            ["3: another body"],
            because: "Such a key is a folder there, and has no content."),
        .init(
            "A key may have a segment of one dot",
            [
                "1: status 400", "1: Code InvalidRequest", "2: status 400", "3: status 400", "3: another body",
                "4: status 400", "5: status 400", "5: another body", "6: status 400", "6: Code InvalidRequest",
            ],
            because: "Keys are paths of its file system; it refuses what a path would collapse."),
        .init(
            "A key may have a segment of two dots",
            [
                "1: status 400", "1: Code InvalidRequest", "2: status 400", "3: status 400", "3: another body",
                "4: status 400", "5: status 400", "5: another body", "6: status 400", "6: Code InvalidRequest",
            ],
            because: "Keys are paths of its file system; it refuses what a path would collapse."),
        .init(
            "A key may leave the folder it seems to be in",
            [
                "1: status 400", "1: Code InvalidRequest", "2: status 400", "3: status 400", "3: another body",
                "4: status 400", "5: status 400", "5: another body", "6: status 400", "6: Code InvalidRequest",
            ],
            because: "Keys are paths of its file system; it refuses what a path would collapse."),
        .init(
            "A list that names a part twice is InvalidPartOrder",
            ["4: status 200", "4: Code none", "5: status 200", "5: Code none"],
            because: "It sorts the list and takes each number once."),
        .init(
            "A part's checksum admits that content only",
            ["3: status 404", "3: Code NoSuchUpload"],
            because: "An upload without a part is unknown to it."),
        .init(
            "A preflight for a method without a rule is AccessForbidden",
            ["1: status 200", "1: Code none"],
            because: "It grants any method to an origin that has a rule."),
        .init(
            "A preflight from another origin is AccessForbidden",
            ["1: Code AccessDenied"],
            because: "It has another code for it."),
        .init(
            "A range of no numbers is ignored (bytes=a-b)",
            ["2: status 416", "2: content-range: bytes */10", "2: another body"],
            because: "It refuses a malformed range, as RFC 9110 lets it."),
        .init(
            "A range over the end by more than a 64-bit number (bytes=8-99999999999999999999)",
            [
                "2: status 416", "2: content-range: bytes */10", "2: content-type: application/xml", "2: etag: none",
                "2: another body",
            ],
            because: "It counts in 64 bits and takes the number for malformed."),
        .init(
            "A range that ends before it begins is ignored (bytes=5-2)",
            ["2: status 416", "2: content-range: bytes */10", "2: another body"],
            because: "It refuses a malformed range, as RFC 9110 lets it."),
        .init(
            "An aborted upload is gone",
            ["4: status 204", "4: Code none"],
            because: "Aborting is no error there, whatever is aborted."),
        .init(
            "An empty list is MalformedXML",
            ["4: status 404", "4: Code NoSuchUpload"],
            because: "It asks for the parts before it reads the list."),
        .init(
            "An expiry that is no number is AuthorizationQueryParametersError",
            ["1: Code MalformedDate"],
            because: "It has a code of its own for it, one that S3 documents for policies."),
        .init(
            "An object without a type is binary/octet-stream",
            ["2: content-type: text/plain; charset=utf-8"],
            because: "It guesses the type from the content."),
        .init(
            "An upload that does not say its length is MissingContentLength",
            ["1: status 200", "1: Code none"],
            because: "It takes it for an empty object."),
        .init(
            "Another algorithm is AuthorizationQueryParametersError",
            ["1: Code InvalidRequest"],
            because: "It has a code of its own for it."),
        .init(
            "Another region is AuthorizationQueryParametersError",
            ["1: status 200", "1: Code none", "2: status 200", "2: Code none"],
            because: "It signs with the region that the URL names."),
        .init(
            "HEAD with a range behind the end is 416",
            ["2: status 200"],
            because: "HEAD ignores ranges there."),
        .init(
            "HEAD with a range says what GET would send",
            ["2: status 200", "2: content-length: 10", "2: content-range: none"],
            because: "HEAD ignores ranges there."),
        .init(
            "If-Match on nothing is NoSuchKey",
            ["1: status 412", "1: Code PreconditionFailed"],
            because: "A missing object fails the condition there like another one."),
        .init(
            "If-Modified-Since with no date: 200",
            ["3: status 400", "3: another body", "4: status 400"],
            because: "It refuses a malformed date."),
        .init(
            "If-None-Match with the ETag, weakly compared: 304",
            ["3: status 200", "3: another body", "4: status 200"],
            because: "It compares texts."),
        .init(
            "If-Range with another ETag gives the whole object",
            ["2: status 206", "2: another body"],
            because: "It does not know If-Range."),
        .init(
            "If-Unmodified-Since with no date: 200",
            ["3: status 400", "3: another body", "4: status 400"],
            because: "It refuses a malformed date."),
        .init(
            "Keys that look alike are different objects",
            ["3: status 409", "12: another body", "14: status 404", "14: another body"],
            because: "A key is a path there: a file is no folder, and a slash in front is nothing."),
        .init(
            "Metadata that is not signed is AccessDenied",
            ["1: Code SignatureDoesNotMatch"],
            because: "It takes an unsigned x-amz- header into what is to be signed."),
        .init(
            "More than 5 GiB in one piece is EntityTooLarge, before they are sent",
            ["1: status 100", "1: Code none"],
            because: "It asks for the content first."),
        .init(
            "No signature is AuthorizationQueryParametersError",
            ["1: Code MissingFields"],
            because: "It has a code of its own for it."),
        .init(
            "OPTIONS that is no preflight is BadRequest",
            ["1: status 200", "1: Code none"],
            because: "It answers any OPTIONS."),
    ]
}
