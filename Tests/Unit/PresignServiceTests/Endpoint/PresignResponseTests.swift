import SocketTestSupport
import Testing

@testable import PresignServiceTestSupport

@Suite("Responses of POST /presign")
struct PresignResponseTests {
    /// A body and the expected parts of the response.
    struct Case: CustomTestStringConvertible, Sendable {
        let body: String
        let method: String
        /// The URL up to its query.
        let place: String
        var headers: [String: String] = [:]
        /// Query parameters other than those of the signature.
        var query: [String: String] = [:]
        var expiresIn = 18_000
        var testDescription: String { body }
    }

    private static let media = "https://acme-media.s3.eu-west-1.amazonaws.com/"
    private static let checksum = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="

    static let cases: [Case] = [
        Case(body: #"{"path":"public/a b.jpg"}"#, method: "GET", place: media + "public/a%20b.jpg"),
        Case(body: #"{"key":"public/a.jpg"}"#, method: "GET", place: media + "public/a.jpg"),
        Case(
            body: #"{"path":"public/a","method":"GET","expiresIn":1,"contentType":"image/png"}"#, method: "GET",
            place: media + "public/a", expiresIn: 1),
        Case(
            body: #"{"path":"public/a","expiresIn":518400}"#, method: "GET", place: media + "public/a",
            expiresIn: 518_400),
        Case(body: #"{"path":"public/a","method":"HEAD"}"#, method: "HEAD", place: media + "public/a"),
        Case(body: #"{"path":"public/a","method":"DELETE"}"#, method: "DELETE", place: media + "public/a"),
        Case(
            body: #"{"path":"public/a","method":"PUT","contentType":"image/png"}"#, method: "PUT",
            place: media + "public/a", headers: ["content-type": "image/png"]),
        Case(body: #"{"path":"public/a","method":"PUT"}"#, method: "PUT", place: media + "public/a"),
        Case(
            body:
                #"{"path":"public/a","method":"PUT","contentLength":0,"checksumSHA256":"\#(checksum)","ifNoneMatch":"*"}"#,
            method: "PUT", place: media + "public/a",
            headers: ["content-length": "0", "x-amz-checksum-sha256": checksum, "if-none-match": "*"]),
        Case(
            body:
                #"{"path":"public/é","responseContentDisposition":"attachment; filename=\"x y\"","responseContentType":"a/b"}"#,
            method: "GET", place: media + "public/%C3%A9",
            query: [
                "response-content-disposition": "attachment; filename=\"x y\"", "response-content-type": "a/b",
            ]),
        Case(
            body: #"{"path":"public/a","method":"POST","contentType":"image/png"}"#, method: "POST",
            place: media + "public/a", headers: ["content-type": "image/png"], query: ["uploads": ""]),
        Case(
            body: #"{"path":"public/a","method":"PUT","uploadId":"u/1+2","partNumber":10000}"#, method: "PUT",
            place: media + "public/a", query: ["partNumber": "10000", "uploadId": "u/1+2"]),
        Case(
            body: #"{"path":"public/a","method":"POST","uploadId":"u"}"#, method: "POST", place: media + "public/a",
            query: ["uploadId": "u"]),
        Case(
            body: #"{"path":"public/a","method":"POST","uploadId":"u","contentLength":7}"#, method: "POST",
            place: media + "public/a", headers: ["x-amz-mp-object-size": "7"], query: ["uploadId": "u"]),
        Case(
            body: #"{"path":"parts/a","method":"PUT","uploadId":"u","partNumber":3,"contentLength":1048576}"#,
            method: "PUT", place: media + "parts/a", headers: ["content-length": "1048576"],
            query: ["partNumber": "3", "uploadId": "u"]),
        Case(
            body: #"{"path":"public/a","uploadId":"u"}"#, method: "GET", place: media + "public/a",
            query: ["uploadId": "u"]),
        Case(
            body: #"{"path":"public/a","method":"DELETE","uploadId":"u"}"#, method: "DELETE",
            place: media + "public/a", query: ["uploadId": "u"]),
        Case(
            body:
                #"{"path":"public/a","method":"PUT","metadata":{"Owner":"a b"},"contentDisposition":"inline","contentLength":"7"}"#,
            method: "PUT", place: media + "public/a",
            headers: ["content-length": "7", "content-disposition": "inline", "x-amz-meta-owner": "a b"]),
        Case(
            body: #"{"path":"settings/a","method":"PUT","storageClass":"GLACIER_IR","tagging":{"a":"b/c"}}"#,
            method: "PUT", place: media + "settings/a",
            headers: [
                "cache-control": "no-store", "x-amz-meta-origin": "presign", "x-amz-storage-class": "GLACIER_IR",
                "x-amz-tagging": "a=b%2Fc",
            ]),
        Case(
            body: #"{"path":"settings/a","method":"POST","checksumAlgorithm":"CRC32","cacheControl":"no-store"}"#,
            method: "POST", place: media + "settings/a",
            headers: [
                "cache-control": "no-store", "x-amz-checksum-algorithm": "CRC32", "x-amz-meta-origin": "presign",
            ], query: ["uploads": ""]),
        Case(
            body: #"{"path":"settings/a","method":"HEAD","versionId":"3/L4","checksumMode":"ENABLED"}"#,
            method: "HEAD", place: media + "settings/a", headers: ["x-amz-checksum-mode": "ENABLED"],
            query: ["versionId": "3/L4"]),
        Case(
            body: #"{"path":"inbox/a","method":"POST","contentType":"image/png"}"#, method: "POST",
            place: media + "inbox/a",
            headers: ["content-type": "image/png", "x-amz-checksum-algorithm": "SHA256"], query: ["uploads": ""],
            expiresIn: 300),
        Case(
            body: #"{"path":"once/a","method":"PUT"}"#, method: "PUT", place: media + "once/a",
            headers: ["if-none-match": "*"]),
        Case(
            body: #"{"path":"once/a","method":"POST","uploadId":"u"}"#, method: "POST", place: media + "once/a",
            headers: ["if-none-match": "*"], query: ["uploadId": "u"]),
        Case(
            body: #"{"path":"once/a","method":"PUT","uploadId":"u","partNumber":1}"#, method: "PUT",
            place: media + "once/a", query: ["partNumber": "1", "uploadId": "u"]),
        Case(body: #"{"path":"inbox/a"}"#, method: "GET", place: media + "inbox/a", expiresIn: 300),
        Case(body: #"{"path":"private/alice/a"}"#, method: "GET", place: media + "private/alice/a"),
        Case(
            body: #"{"path":"public/a","store":"archive"}"#, method: "GET",
            place: "https://s3.us-east-1.amazonaws.com/acme.archive/v1/public/a"),
        Case(
            body: #"{"path":"public/a","store":"fast"}"#, method: "GET",
            place: "https://acme-fast.s3-accelerate.amazonaws.com/public/a"),
        Case(
            body: #"{"path":"public/a","store":"fast","useAccelerateEndpoint":false}"#, method: "GET",
            place: "https://acme-fast.s3.us-east-1.amazonaws.com/public/a"),
        Case(
            body: #"{"path":"public/a","useAccelerateEndpoint":true}"#, method: "GET",
            place: "https://acme-media.s3-accelerate.amazonaws.com/public/a"),
        Case(
            body: #"{"path":"public/a","store":"inside"}"#, method: "GET",
            place: "https://files.example.com/acme-inside/public/a"),
    ]

    private static let signature: Set = [
        "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires", "X-Amz-SignedHeaders", "X-Amz-Signature",
    ]

    @Test("The response contains the requested URL", arguments: cases)
    func url(_ expected: Case) throws {
        let response = try TestService().exchange(presignRequest(expected.body))
        #expect(response["content-type"] == "application/json")
        #expect(response["cache-control"] == "no-store")
        let presigned = try verified(response)
        #expect(presigned.method == expected.method)
        #expect(presigned.url.prefix { $0 != "?" } == expected.place)
        #expect(presigned.headers == expected.headers)
        #expect(presigned.expiresIn == expected.expiresIn)
        #expect(presigned.limitedBy == nil)
        #expect(presigned.query.filter { !Self.signature.contains($0.key) } == expected.query)
    }

    @Test("The response contains the requested path, the bucket and the region")
    func members() throws {
        let body = #"{"path":"public/a\u0041","store":"archive"}"#
        let presigned = try verified(try TestService().exchange(presignRequest(body)))
        #expect(presigned.key == "public/aA" && presigned.bucket == "acme.archive" && presigned.region == "us-east-1")
    }

    @Test(
        "A form gives the same response as JSON",
        arguments: [
            ("path=public%2Fa+b&method=PUT&contentType=image%2Fpng&expiresIn=60", "public/a%20b", 60),
            ("key=public/a&method=PUT&contentType=image/png&expiresIn=60", "public/a", 60),
        ])
    func forms(form: String, place: String, expiresIn: Int) throws {
        let presigned = try verified(
            try TestService().exchange(presignRequest(form, type: "application/x-www-form-urlencoded")))
        #expect(presigned.url.prefix { $0 != "?" } == Self.media + place)
        #expect(presigned.headers == ["content-type": "image/png"] && presigned.expiresIn == expiresIn)
    }

    @Test("Requests and responses match Uppy's signRequest")
    func uppy() throws {
        let service = try TestService()
        let create = try service.exchange(presignRequest(#"{"method":"POST","key":"public/u.bin"}"#))
        #expect(try verified(create).query["uploads"] == "")
        let part = #"{"method":"PUT","key":"public/u.bin","uploadId":"U","partNumber":1}"#
        #expect(try verified(try service.exchange(presignRequest(part))).query["partNumber"] == "1")
        let refused = try service.exchange(presignRequest(#"{"method":"PUT","key":"elsewhere/u"}"#))
        let problem = try refused.problem()
        #expect(refused.status == 403 && problem.message == problem.detail && !problem.message.isEmpty)
    }
}
