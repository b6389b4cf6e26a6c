import SocketTestSupport
import Testing

@testable import DataFormats
@testable import PresignService
@testable import PresignServiceTestSupport

@Suite("Rejections by POST /presign")
struct RefusalTests {
    /// A rejected body, with the expected status, code and members.
    struct Case: CustomTestStringConvertible, Sendable {
        let body: String
        var status = 400
        var code = "validation"
        let pointers: [String]
        var testDescription: String { String(body.prefix(120)) }

        init(_ body: String, _ pointers: [String] = []) { (self.body, self.pointers) = (body, pointers) }

        init(_ status: Int, _ code: String, _ body: String, _ pointers: [String] = []) {
            (self.status, self.code, self.body, self.pointers) = (status, code, body, pointers)
        }
    }

    private static let checksum = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="

    static let malformed: [Case] = [
        "", "{", "[]", "null", #"{"path":"public/a",}"#, #"{"path":"public/a"} x"#, #"{"path":"public/a","path":"b"}"#,
        #"{"path":"public/a","p\u0061th":"b"}"#, "\u{FEFF}{}", #"{"path":"\ud800"}"#, "path=public/a",
    ].map { Case($0, ["#"]) }

    static let members: [Case] = [
        Case("{}", ["#/path"]), Case(#"{"path":null}"#, ["#/path"]), Case(#"{"path":1}"#, ["#/path"]),
        Case(#"{"path":"public/a","key":"public/a"}"#, ["#/key"]),
        Case(#"{"path":"public/a","expiresin":60}"#, ["#/expiresin"]),
        Case(#"{"path":"public/a","Path":"x","a/b~c":{}}"#, ["#/Path", "#/a~1b~0c"]),
        Case(#"{"path":"public/a","method":"get"}"#, ["#/method"]),
        Case(#"{"path":"public/a","method":"PATCH"}"#, ["#/method"]),
        Case(#"{"path":"public/a","method":null}"#, ["#/method"]),
        Case(
            #"{"path":"public/a","expiresIn":"60s","store":1,"contentType":[]}"#,
            [
                "#/expiresIn", "#/store", "#/contentType",
            ]),
        Case(#"{"path":"public/a","store":""}"#, ["#/store"]),
        Case(#"{"path":"public/a","store":"\#(String(repeating: "s", count: 65))"}"#, ["#/store"]),
        Case(#"{"path":"public/a","expiresIn":60.5}"#, ["#/expiresIn"]),
        Case(#"{"path":"public/a","expiresIn":1e-2}"#, ["#/expiresIn"]),
        Case(#"{"path":"public/a","expiresIn":99999999999999999999}"#, ["#/expiresIn"]),
        Case(
            #"{"path":"public/a","validateObjectExistence":1,"useAccelerateEndpoint":"true"}"#,
            [
                "#/validateObjectExistence", "#/useAccelerateEndpoint",
            ]),
        Case(#"{"path":"public/a","expiresIn":0}"#, ["#/expiresIn"]),
        Case(#"{"path":"public/a","expiresIn":-1}"#, ["#/expiresIn"]),
        Case(#"{"path":"public/a","expiresIn":604801}"#, ["#/expiresIn"]),
        Case(#"{"path":"public/a","expiresIn":9223372036854775807}"#, ["#/expiresIn"]),
        Case(#"{"path":"public/a","expiresIn":-9223372036854775808}"#, ["#/expiresIn"]),
    ]

    static let combinations: [Case] = [
        Case(#"{"path":"public/a","method":"PUT","uploadId":"u"}"#, ["#/partNumber"]),
        Case(#"{"path":"public/a","method":"PUT","partNumber":1}"#, ["#/uploadId"]),
        Case(#"{"path":"public/a","partNumber":1}"#, ["#/partNumber"]),
        Case(#"{"path":"public/a","uploadId":"u","partNumber":1}"#, ["#/partNumber"]),
        Case(#"{"path":"public/a","method":"POST","uploadId":"u","partNumber":1}"#, ["#/partNumber"]),
        Case(#"{"path":"public/a","method":"DELETE","partNumber":1}"#, ["#/partNumber"]),
        Case(#"{"path":"public/a","method":"HEAD","uploadId":"u"}"#, ["#/uploadId"]),
        Case(#"{"path":"public/a","method":"PUT","uploadId":"u","partNumber":0}"#, ["#/partNumber"]),
        Case(#"{"path":"public/a","method":"PUT","uploadId":"u","partNumber":10001}"#, ["#/partNumber"]),
        Case(#"{"path":"public/a","method":"PUT","uploadId":"","partNumber":1}"#, ["#/uploadId"]),
        Case(#"{"path":"public/a","method":"DELETE","uploadId":"a\nb"}"#, ["#/uploadId"]),
        Case(#"{"path":"public/a","method":"PUT","checksumSHA256":"abc"}"#, ["#/checksumSHA256"]),
        Case(#"{"path":"public/a","method":"PUT","checksumSHA256":"\#(checksum.dropLast())0"}"#, ["#/checksumSHA256"]),
        Case(#"{"path":"public/a","checksumSHA256":"\#(checksum)"}"#, ["#/checksumSHA256"]),
        Case(#"{"path":"public/a","contentLength":1}"#, ["#/contentLength"]),
        Case(#"{"path":"public/a","method":"PUT","contentLength":-1}"#, ["#/contentLength"]),
        Case(#"{"path":"public/a","method":"POST","contentLength":1}"#, ["#/contentLength"]),
        Case(#"{"path":"public/a","method":"DELETE","uploadId":"u","contentLength":1}"#, ["#/contentLength"]),
        Case(#"{"path":"public/a","uploadId":"u","contentLength":1}"#, ["#/contentLength"]),
        Case(#"{"path":"public/a","method":"POST","uploadId":"u","contentLength":-1}"#, ["#/contentLength"]),
        Case(#"{"path":"public/a","method":"PUT","contentLength":53687091200001}"#, ["#/contentLength"]),
        Case(#"{"path":"public/a","method":"PUT","ifNoneMatch":"\"etag\""}"#, ["#/ifNoneMatch"]),
        Case(#"{"path":"public/a","ifNoneMatch":"*"}"#, ["#/ifNoneMatch"]),
        Case(#"{"path":"public/a","method":"PUT","uploadId":"u","partNumber":1,"ifNoneMatch":"*"}"#, ["#/ifNoneMatch"]),
        Case(#"{"path":"public/a","method":"PUT","responseContentType":"a/b"}"#, ["#/responseContentType"]),
        Case(
            #"{"path":"public/a","responseContentType":"","responseExpires":""}"#,
            ["#/responseContentType", "#/responseExpires"]),
        Case(
            #"{"path":"public/a","method":"PUT","uploadId":"u","partNumber":1,"contentType":"image/png"}"#,
            ["#/contentType"]),
        Case(#"{"path":"public/a","method":"POST","uploadId":"u","contentType":"image/png"}"#, ["#/contentType"]),
        Case(#"{"path":"public/a","method":"DELETE","uploadId":"u","contentType":"image/png"}"#, ["#/contentType"]),
        Case(#"{"path":"public/a","uploadId":"u","contentType":"image/png"}"#, ["#/contentType"]),
        Case(#"{"path":"public/a","method":"PUT","metadata":{"a":1,"b":"x"}}"#, ["#/metadata/a"]),
        Case(#"{"path":"public/a","cacheControl":"no-store","versionId":""}"#, ["#/cacheControl", "#/versionId"]),
        Case(#"{"path":"public/a","store":"nowhere"}"#, ["#/store"]),
        Case(#"{"path":"public/a","store":"\#(String(repeating: "s", count: 64))"}"#, ["#/store"]),
        Case(#"{"path":"public/a","store":"Media"}"#, ["#/store"]),
        Case(#"{"path":"public/a","method":"PUT","contentType":""}"#, ["#/contentType"]),
        Case(#"{"path":"public/a","contentType":""}"#, ["#/contentType"]),
        Case(#"{"path":"public/a","method":"PUT","contentType":"a/b\r\nx: y"}"#, ["#/contentType"]),
        Case(#"{"path":"public/a","method":"PUT","contentType":"é/b"}"#, ["#/contentType"]),
        Case(#"{"path":"public/a","store":"inside","useAccelerateEndpoint":true}"#, ["#/useAccelerateEndpoint"]),
        Case(#"{"path":"public/a","store":"archive","useAccelerateEndpoint":true}"#, ["#/useAccelerateEndpoint"]),
    ]

    static let paths: [Case] = [
        "", "/public/a", "public/a/", "public//a", #"public/\u0000"#, #"public/\u007f"#, #"public\\a"#, "public/../a",
        "public/./a", "public/%2e%2e/a", "public/%252E%252e/a", "public/" + String(repeating: "é", count: 509),
    ].map { Case(#"{"path":"\#($0)"}"#, ["#/path"]) }

    static let limits: [Case] = [
        Case(
            422, "constraint", #"{"path":"inbox/a","method":"PUT"}"#,
            [
                "#/contentType", "#/contentLength", "#/checksumSHA256",
            ]),
        Case(422, "constraint", inbox(type: "text/html"), ["#/contentType"]),
        // The type of a multipart upload is set when it is created, and must not bypass the rules about types there.
        Case(422, "constraint", #"{"path":"inbox/a","method":"POST","contentType":"text/html"}"#, ["#/contentType"]),
        Case(422, "constraint", #"{"path":"inbox/a","method":"POST"}"#, ["#/contentType"]),
        Case(
            400, "validation", #"{"path":"public/a","responseContentType":"text/html\r\nx: y"}"#,
            ["#/responseContentType"]),
        // Browsers use the last type after a comma.
        Case(422, "constraint", inbox(type: "image/png;,text/html"), ["#/contentType"]),
        Case(422, "constraint", inbox(type: "image/png, text/html"), ["#/contentType"]),
        Case(422, "constraint", inbox(length: "1025"), ["#/contentLength"]),
        Case(422, "constraint", inbox(more: #","expiresIn":901"#), ["#/expiresIn"]),
        Case(422, "constraint", part(1, nil), ["#/contentLength"]),
        Case(422, "constraint", part(1, 5_242_881), ["#/contentLength"]),
        Case(422, "constraint", part(3, 1_048_577), ["#/contentLength"]),
        Case(422, "constraint", part(4, 1), ["#/partNumber"]),
        Case(
            422, "constraint", #"{"path":"parts/a","method":"POST","uploadId":"u","contentLength":11534337}"#,
            ["#/contentLength"]),
        Case(
            422, "constraint", inbox(type: "a", length: "9999", more: #","expiresIn":604800"#),
            [
                "#/contentType", "#/contentLength", "#/expiresIn",
            ]),
        Case(422, "constraint", #"{"path":"public/a","expiresIn":518401}"#, ["#/expiresIn"]),
        Case(
            422, "constraint", #"{"path":"public/a","method":"PUT","storageClass":"GLACIER","tagging":{"a/b":"c"}}"#,
            ["#/storageClass", "#/tagging/a~1b"]),
        Case(422, "constraint", #"{"path":"public/a","versionId":"3"}"#, ["#/versionId"]),
        Case(
            422, "constraint",
            #"{"path":"settings/a","method":"PUT","cacheControl":"public","metadata":{"origin":"me","a":"b"}}"#,
            ["#/cacheControl", "#/metadata/origin"]),
        Case(
            422, "constraint", #"{"path":"inbox/a","method":"PUT","uploadId":"u","partNumber":1}"#,
            ["#/checksumSHA256"]),
        Case(
            422, "constraint",
            #"{"path":"inbox/a","method":"POST","contentType":"image/png","checksumAlgorithm":"SHA1"}"#,
            ["#/checksumAlgorithm"]),
    ]

    static let forbidden: [Case] = [
        #"{"path":"elsewhere/a"}"#, #"{"path":"public/.env"}"#, #"{"path":"private/bob/a"}"#,
        #"{"path":"private/alice/a","method":"DELETE"}"#,
        #"{"path":"inbox/a","store":"archive"}"#,
    ].map { Case(403, "forbidden", $0) }

    private static func part(_ number: Int, _ length: Int?) -> String {
        let length = length.map { #","contentLength":\#($0)"# } ?? ""
        return #"{"path":"parts/a","method":"PUT","uploadId":"u","partNumber":\#(number)\#(length)}"#
    }

    private static func inbox(type: String = "image/png", length: String = "1024", more: String = "") -> String {
        #"{"path":"inbox/a","method":"PUT","contentType":"\#(type)","contentLength":\#(length),"#
            + #""checksumSHA256":"\#(checksum)"\#(more)}"#
    }

    @Test(
        "Every mistake is listed",
        arguments: [malformed, members, combinations, paths, limits, forbidden].flatMap { $0 })
    func refused(_ expected: Case) throws {
        let response = try TestService().exchange(presignRequest(expected.body))
        #expect(response.status == expected.status)
        #expect(response["content-type"] == "application/problem+json")
        #expect(response["cache-control"] == "no-store")
        let problem = try response.problem()
        #expect(problem.status == expected.status && problem.code == expected.code)
        #expect(problem.pointers == expected.pointers, "\(problem.detail)")
        #expect(problem.message == problem.detail && !problem.title.isEmpty)
        #expect(problem.type == "urn:presign:problem:" + expected.code)
        #expect(problem.requestId == response["x-request-id"])
    }

    @Test(
        "The detail states the cause",
        arguments: [
            ("", "the body is empty"),
            (#"{"path":null}"#, "path: must be a string"),
            (#"{"path":"public/a","method":null}"#, "omit it for the default"),
            (#"{"path":"public/a","path":"b"}"#, #"the body is malformed: duplicate field "path", at byte 19"#),
            (#"{"path":"public/a","expiresin":60}"#, "expiresin: unknown field; did you mean `expiresIn`?"),
            (#"{"path":"public/a","expires":60}"#, "expires: unknown field; did you mean `expiresIn`?"),
            (#"{"path":"public/a","colour":1}"#, "colour: unknown field; GET /openapi.yaml lists the fields"),
            (#"{"path":"public/a","":1}"#, "the name of a field is empty; GET /openapi.yaml lists the fields"),
            (#"{"path":"public/a","store":""}"#, "store: is empty; send the name of a store, 1 to 64 characters"),
            (
                #"{"path":"public/a","method":""}"#,
                "method: must be GET, PUT, HEAD, DELETE or POST, in upper case, but is empty"
            ),
            (#"{"path":"public/a","method":"get"}"#, "in upper case, but is `get`"),
            (#"{"path":"public/a","method":"\#(String(repeating: "G", count: 99))"}"#, "GGGG...`"),
            // No message offers what it refuses.
            (#"{"path":"public/a","useAccelerateEndpoint":"true"}"#, "must be true or false, without quotation marks"),
            (inbox(type: "image/*"), "contentType: `image/*` is a range of types; send one type"),
            (inbox(more: #","ifNoneMatch":"\"*\"""#), "ifNoneMatch: must be `*`, without quotation marks"),
            (
                #"{"path":"public/a","expiresIn":99999999999999999999999}"#,
                "expiresIn: is out of range; must be a whole number of seconds, such as 3600"
            ),
            (
                #"{"path":"public/a","expiresIn":-99999999999999999999999}"#,
                "expiresIn: is out of range; must be a whole number of seconds, such as 3600"
            ),
            (
                #"{"path":"public/a","expiresIn":9999999999999999999999.5}"#,
                "expiresIn: must be a whole number of seconds, such as 3600"
            ),
            (inbox(type: "text/html"), "contentType: `text/html` is not allowed here; must be image/*"),
            (inbox(length: "315000000"), "contentLength: 315000000 bytes is more than this rule allows (1 KiB)"),
            (
                #"{"path":"inbox/a","method":"PUT"}"#,
                "contentType: is missing; must be image/*; contentLength: is missing; must be at most 1 KiB;"
                    + " checksumSHA256: is missing; this rule requires the sha256 of the content"
            ),
            (inbox(more: #","expiresIn":901"#), "expiresIn: 901 seconds is more than the maximum (900 seconds)"),
            (#"{"path":"public/a","store":"nowhere"}"#, "store: unknown store `nowhere`"),
            (#"{"path":"public/a","responseExpires":""}"#, "must not be empty; omit it to keep the object's value"),
            (
                #"{"path":"public/a","uploadId":"u","contentType":"a/b"}"#,
                "is not allowed in this step; set it when creating the multipart upload (POST without uploadId)"
            ),
            // Listing parts is a GET too.
            (
                #"{"path":"public/a","uploadId":"u","responseContentType":"a/b"}"#,
                "responseContentType: is allowed only with GET and HEAD of an object"
            ),
        ])
    func details(body: String, detail: String) throws {
        let problem = try TestService().exchange(presignRequest(body)).problem()
        #expect(problem.detail.hasSuffix(detail), "\(problem.detail)")
    }

    @Test("The detail also states the cause for a form and for an empty batch")
    func otherDetails() throws {
        let form = try TestService().exchange(
            presignRequest("path=a&path=b", type: "application/x-www-form-urlencoded"))
        #expect(try form.problem().detail.hasSuffix(#"duplicate field "path", at byte 7"#))
        let batch = try TestService().exchange(
            presignRequest("").replacing("/presign", with: "/presign/batch"))
        #expect(try batch.problem().detail == "the body is empty")
    }

    @Test("An upload within all limits is signed with all declared headers, and create-only")
    func withinLimits() throws {
        let presigned = try verified(try TestService().exchange(presignRequest(Self.inbox(more: #","expiresIn":900"#))))
        #expect(
            presigned.headers == [
                "content-type": "image/png", "content-length": "1024", "x-amz-checksum-sha256": Self.checksum,
                "if-none-match": "*",
            ])
        #expect(presigned.expiresIn == 900)
    }

    @Test("A key that is too long only with the store's prefix is rejected")
    func prefixedKey() throws {
        let path = "public/" + String(repeating: "k", count: 1015)
        let response = try TestService().exchange(presignRequest(#"{"path":"\#(path)","store":"archive"}"#))
        #expect(response.status == 400)
        #expect(try response.problem().pointers == ["#/path"])
    }

    @Test("GET, HEAD and DELETE of an object ignore a content type", arguments: ["GET", "HEAD", "DELETE"])
    func ignoredContentType(method: String) throws {
        let body = #"{"path":"public/a","method":"\#(method)","contentType":"image/png"}"#
        #expect(try verified(try TestService().exchange(presignRequest(body))).headers == [:])
    }

    @Test(
        "Forms are parsed strictly",
        arguments: [
            "path=public/a&path=b", "path=public/a&", "path", "path=%zz", "path=public/a&nope=1", "expiresIn=1",
        ])
    func forms(_ form: String) throws {
        let response = try TestService().exchange(presignRequest(form, type: "application/x-www-form-urlencoded"))
        #expect(response.status == 400)
        #expect(try response.problem().code == "validation")
    }
}
