import SocketTestSupport
import Testing

@testable import PresignServiceTestSupport

@Suite("What is not signed for Apache Iceberg")
struct RemoteRefusalTests {
    private static let host = RemoteSigningTests.host

    struct Refused: CustomTestStringConvertible, Sendable {
        let question: RemoteQuestion
        let status: Int
        /// What the message contains.
        let name: String
        let store: String
        var testDescription: String { "\(status) \(name): \(question)" }

        init(_ question: RemoteQuestion, _ name: String, _ status: Int = 400, in store: String = "media") {
            (self.question, self.name, self.status, self.store) = (question, name, status, store)
        }

        init(_ uri: String, _ name: String = "uri: ", _ status: Int = 400) {
            self.init(RemoteQuestion("GET", uri), name, status)
        }
    }

    private static func with(_ members: [String: any Sendable], region: String = "eu-west-1") -> RemoteQuestion {
        var question = RemoteQuestion("GET", host + "wh/a")
        (question.members, question.region) = (members, region)
        return question
    }

    private static func put(_ name: String, _ value: String) -> RemoteQuestion {
        RemoteQuestion("PUT", host + "wh/a", [name: value])
    }

    static let urls = [
        Refused("https://evil.example/wh/a"), Refused("http://acme-media.s3.eu-west-1.amazonaws.com/wh/a"),
        Refused("https://acme-media.s3.eu-west-1.amazonaws.com:8443/wh/a"),
        Refused("https://acme-media.s3.eu-west-1.amazonaws.com.evil.example/wh/a"),
        Refused("https://acme-media.s3.us-east-1.amazonaws.com/wh/a"),
        Refused("https://s3.eu-west-1.amazonaws.com/acme-other/wh/a"),
        Refused("https://s3.eu-west-1.amazonaws.com/acme-mediawh/a"),
        Refused("https://s3.eu-west-1.amazonaws.com/"),
        Refused("https://user@acme-media.s3.eu-west-1.amazonaws.com/wh/a"),
        Refused(host + "wh/a#fragment"), Refused("s3://acme-media/wh/a"), Refused("wh/a"), Refused(""),
        Refused(host + "wh%2Fa"), Refused(host + "wh%2fa"), Refused(host + "wh/a%2"), Refused(host + "wh/a b"),
        Refused(host + "wh/a%00", "control character"), Refused(host + "wh/../a", "\"..\""),
        Refused(host + "wh/%2e%2e/a", "\"..\""), Refused(host + "wh/%252e%252e/a", "percent-decodes"),
        Refused(host + "wh//a", "two slashes"), Refused(host + "wh/./a", "\".\""), Refused(host + "wh/a/", "slash"),
        Refused(host + "wh/a%5Cb", "backslash"), Refused(host + "/wh/a", "slash"), Refused(host + "wh/%FF", "UTF-8"),
        Refused(host, "list-type=2"), Refused(host + "?uploads", "uploads"),
        Refused(host + "?list-type=1", "list-type"),
        Refused(host + "?acl", "acl"), Refused(host + "?list-type=2&prefix=wh", "slash"),
        Refused(host + "?list-type=2&prefix=wh/&prefix=wh/", "prefix"),
        Refused(host + "?list-type=2&prefix=wh/&delimiter=x", "delimiter"),
        Refused(host + "?list-type=2&prefix=wh/&max-keys=x", "max-keys"),
        Refused(host + "?list-type=2&prefix=wh/&max-keys=1001", "maxKeys"),
        Refused(host + "?list-type=2&prefix=wh/&fetch-owner=true", "fetch-owner"),
        Refused(host + "?list-type=2&prefix=wh/&encoding-type=x", "encoding-type"),
        Refused(host + "?list-type=2&prefix=wh/&x-id=GetObject", "x-id"),
        Refused(host + "?list-type=2&prefix=wh/&versions", "versions"),
        Refused(host + "?list-type=2&prefix=wh/&X-Amz-Expires=9", "X-Amz-Expires"),
        Refused(host + "wh/a?acl", "acl"), Refused(host + "wh/a?tagging", "tagging"),
        Refused(host + "wh/a?partNumber=1", "partNumber"), Refused(host + "wh/a?uploadId=u&partNumber=1", "partNumber"),
        Refused(host + "wh/a?X-Amz-Signature=a", "X-Amz-Signature"), Refused(host + "wh/a?x-id=PutObject", "x-id"),
        Refused(host + "wh/a?uploads", "uploads"), Refused(host + "wh/a?versionId=1&versionId=2", "versionId"),
        Refused(host + "wh/a?versionId=1", "versionId", 422), Refused(host + "?list-type=2&prefix=", "", 403),
        Refused(host + "?list-type=2", "", 403), Refused(host + "?list-type=2&prefix=public/", "", 403),
        Refused(host + "elsewhere/a", "", 403), Refused(host + "wh/.hidden", "", 403),
    ]

    static let methods = [
        Refused(.init("PATCH", host + "wh/a"), "method"), Refused(.init("get", host + "wh/a"), "method"),
        Refused(.init("POST", host + "wh/a"), "uploads"),
        Refused(.init("POST", host + "wh/a?uploads&uploadId=u"), "uploads"),
        Refused(.init("PUT", host + "wh/a?partNumber=1"), "uploadId"),
        Refused(.init("PUT", host + "wh/a?uploadId=u"), "partNumber"),
        Refused(.init("PUT", host + "wh/a?uploadId=u&partNumber=x"), "partNumber"),
        Refused(.init("PUT", host + "wh/a?uploadId=u&partNumber=10001"), "partNumber"),
        Refused(.init("PUT", host + "wh/a?uploadId=&partNumber=1"), "uploadId"),
        Refused(.init("PUT", host + "wh/a?versionId=1"), "versionId"), Refused(.init("HEAD", host), "list-type"),
        Refused(.init("PUT", host), "list-type"), Refused(.init("DELETE", host), "list-type"),
        Refused(.init("DELETE", host + "?list-type=2&prefix=wh/"), "method"), Refused(.init("POST", host), "list-type"),
        Refused(.init("DELETE", host + "wh/a?versionId=1"), "versionId"),
    ]

    static let members = [
        Refused(with([:], region: "us-east-1"), "region"), Refused(with(["region": 1]), "region"),
        Refused(with(["provider": "gcs"]), "provider"), Refused(with(["uri": 1]), "uri"),
        Refused(with(["body": 1]), "body"),
        Refused(with(["headers": [String]()]), "headers"), Refused(with(["headers": ["range": "a"]]), "headers.range"),
        Refused(with(["headers": ["range": ["a", "b"]]]), "headers.range"),
        Refused(with(["headers": ["range": ["a"], "Range": ["a"]]]), "must have one value"),
        Refused(with(["headers": ["range": [String]()]]), "headers.range"),
        Refused(with(["headers": ["host": ["evil.example"]]]), "headers.host"),
        Refused(with(["headers": ["Host": ["acme-media.s3.eu-west-1.amazonaws.com:80"]]]), "headers.host"),
        Refused(with(["headers": ["x-amz-checksum-mode": ["x"]]]), "checksumMode"),
        Refused(with(["headers": ["x-amz-server-side-encryption-customer-key": ["x"]]]), "customer-key"),
        Refused(with(["headers": ["x-amz-security-token": ["x"]]]), "x-amz-security-token"),
        Refused(with(["headers": ["x-amz-date": ["x"]]]), "x-amz-date"),
        Refused(with(["headers": ["x-amz-acl": ["private"]]]), "x-amz-acl"),
        Refused(put("x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"), "AWS_REQUEST_CHECKSUM_CALCULATION"),
        Refused(put("X-Amz-Content-Sha256", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"), "x-amz-content-sha256"),
        Refused(put("x-amz-content-sha256", String(repeating: "0", count: 64)), "UNSIGNED-PAYLOAD"),
        Refused(put("x-amz-trailer", "x-amz-checksum-crc32"), "x-amz-trailer"),
        Refused(put("x-amz-decoded-content-length", "3"), "x-amz-decoded-content-length"),
        Refused(put("x-amz-copy-source", "b/k"), "x-amz-copy-source"),
        Refused(put("X-AMZ-Copy-Source-Range", "bytes=0-1"), "x-amz-copy-source-range"),
        Refused(put("x-amz-unknown", "a"), "x-amz-unknown"), Refused(put("content-length", "x"), "content-length"),
        Refused(put("x-amz-mp-object-size", "3"), "x-amz-mp-object-size"),
        Refused(put("if-none-match", "\"a\""), "ifNoneMatch"),
        Refused(put("x-amz-checksum-sha256", "a"), "checksumSHA256"),
        Refused(put("x-amz-tagging", "a=%4"), "x-amz-tagging"),
        Refused(put("x-amz-meta-a", "é"), "x-amz-meta-a"),
        Refused(put("x-amz-storage-class", "GLACIER"), "storageClass", 422),
        Refused(put("x-amz-tagging", "a=b"), "tagging", 422), Refused(put("x-amz-acl", "public-read"), "acl", 422),
        Refused(.init("GET", "https://s3.us-east-1.amazonaws.com/acme.archive/v2/wh/a"), "v1/", in: "archive"),
        Refused(.init("GET", "https://s3.us-east-1.amazonaws.com/acme.archive/v1"), "v1/", in: "archive"),
        Refused(
            .init("GET", "https://s3.us-east-1.amazonaws.com/acme.archive?list-type=2&prefix="), "prefix", in: "archive"
        ),
        Refused(.init("GET", "https://s3.us-east-1.amazonaws.com/acme.archive?list-type=2"), "v1/", in: "archive"),
        Refused(
            .init("GET", "https://s3.us-east-1.amazonaws.com/acme.archive?list-type=2&prefix=v1/wh/&start-after=a"),
            "start-after", in: "archive"),
        Refused(.init("GET", "http://10.0.0.7:9000/acme-inside/public/a"), "uri", in: "inside"),
    ]

    static let limits = [
        Refused(
            .init("PUT", host + "inbox/a", ["content-type": "image/png", "if-none-match": "*"]), "contentLength", 422),
        Refused(.init("PUT", host + "inbox/a", ["content-length": "9", "if-none-match": "*"]), "contentType", 422),
        Refused(.init("PUT", host + "once/a", ["content-length": "9"]), "if-none-match", 422),
        Refused(.init("PUT", host + "settings/a"), "cache-control", 422),
        Refused(
            .init("PUT", host + "parts/a?uploadId=u&partNumber=1", ["content-length": "6000000"]), "contentLength", 422),
        Refused(.init("PUT", host + "public/a", ["content-length": "6000000000"]), "5 GiB", 422),
    ]

    @Test(
        "The error names what is wrong, in the format of Apache Iceberg", arguments: urls + methods + members + limits)
    func refused(_ item: Refused) throws {
        var question = item.question
        if item.store == "archive" { question.region = "us-east-1" }
        if item.store == "inside" { question.region = "eu-central-1" }
        let exchange = try RemoteSigningTests.ask(question, store: item.store)
        #expect(exchange.status == item.status, "\(exchange.response.text)")
        let error = try RemoteError(exchange.response).error
        #expect(error.code == item.status && !error.type.isEmpty && error.message.contains(item.name), "\(error)")
        #expect(exchange["content-type"] == "application/json")
        #expect(exchange.audit.count == 1 && exchange.audit[0].bucket == nil)
    }

    @Test("Malformed and large bodies, other types and a query are refused")
    func bodies() throws {
        let service = try TestService(SampleConfiguration.remote)
        func status(_ path: String, _ body: String, _ type: String = "application/json") throws -> Int {
            let text = presignRequest(body, type: type).replacing("/presign ", with: "\(path) ", maxReplacements: 1)
            let response = try service.exchange(text)
            if path.hasSuffix("sign") { #expect(try RemoteError(response).error.code == response.status) }
            return response.status
        }
        #expect(try status("/iceberg/media/sign", "{") == 400)
        #expect(try status("/iceberg/media/sign", "[]") == 400)
        #expect(try status("/iceberg/media/sign", #"{"method":"GET","method":"GET"}"#) == 400)
        #expect(try status("/iceberg/media/sign", "a=b", "application/x-www-form-urlencoded") == 415)
        #expect(try status("/iceberg/media/sign?a=b", "{}") == 400)
        var question = RemoteQuestion("GET", Self.host + "wh/a")
        question.members = ["properties": ["a": String(repeating: "a", count: 5000)]]
        #expect(try status("/iceberg/media/sign", question.json) == 413)
        #expect(try status("/iceberg/media/sign", String(repeating: " ", count: 1_100_000)) == 413)
    }

    @Test("Each request counts once against the limit of the caller")
    func limit() throws {
        let service = try TestService(
            SampleConfiguration.remote.replacing("limits: {}\n", with: "limits: {perCaller: {rate: 2/h, burst: 2}}\n"))
        for status in [200, 200, 429] {
            #expect(try RemoteSigningTests.ask(.init("GET", Self.host + "wh/a"), of: service).status == status)
        }
    }
}
