import Foundation
import PresigningTestSupport
import Requests
import Testing

@testable import PresignService
@testable import PresignTools
@testable import Presigning

extension OfflineSigning {
    /// Signs one URL with a presigner of its own.
    static func url(
        _ fields: PresignRequest, _ defaults: SigningDefaults, at time: SigningTime
    ) throws(FieldFailure) -> PresignResponse {
        var presigner = Presigner()
        return try url(fields, defaults, at: time, using: &presigner)
    }
}

@Suite("Offline batches")
struct LineSignerTests {
    private struct Line: Decodable {
        let url: String?
        let method: String?
        let headers: [String: String]?
        let key: String?
        let error: String?
    }

    private static let time = SigningTime(secondsSince1970: 1_795_237_200)

    private static func defaults() throws -> SigningDefaults {
        let credentials = try Credentials(accessKeyID: "AKIDLIVE", secretAccessKey: TestCredentials.secret)
        var defaults = SigningDefaults(
            endpoint: S3EndpointOptions(bucket: "acme-media", region: "eu-west-1"), credentials: credentials,
            expiresIn: 900)
        defaults.prefix = Array("v1/".utf8)
        return defaults
    }

    private static func response(_ line: String, _ defaults: SigningDefaults) throws -> Line {
        var signer = LineSigner(defaults: defaults)
        let response = signer.response(to: Array(line.utf8)[...], at: time)
        #expect(response.last == 0x0A && response.count { $0 == 0x0A } == 1)
        return try JSONDecoder().decode(Line.self, from: Data(response))
    }

    @Test("A line with the fields of POST /presign gets the response of the service")
    func response() throws {
        let line =
            #"{"path":"a b","method":"PUT","contentType":"a/b","metadata":{"owner":"x"},"ifNoneMatch":"*","expiresIn":"60"}"#
        var fields = PresignRequest()
        (fields.path, fields.method, fields.contentType) = (Array("a b".utf8), .put, "a/b")
        (fields.ifNoneMatch, fields.expiresIn) = ("*", 60)
        fields.settings = [try UploadSetting(.metadata, entry: Array("owner".utf8), checking: Array("x".utf8))]
        let single = try OfflineSigning.url(fields, Self.defaults(), at: Self.time)
        var signer = LineSigner(defaults: try Self.defaults())
        #expect(signer.response(to: Array(line.utf8)[...], at: Self.time) == single.json + [0x0A])
        let response = try Self.response(line, try Self.defaults())
        let headers = ["content-type": "a/b", "if-none-match": "*", "x-amz-meta-owner": "x"]
        #expect(response.headers == headers && response.method == "PUT" && response.key == "a b")
        let url = try #require(response.url)
        #expect(url.hasPrefix("https://acme-media.s3.eu-west-1.amazonaws.com/v1/a%20b?"))
        #expect(queryItems(of: url)["X-Amz-Expires"] == "60")
        #expect(try verification(of: url, method: "PUT", headers: headers, at: Self.time) == .valid)
    }

    @Test(
        "Every field that is signed is read",
        arguments: [
            (#"{"key":"a","versionId":"3","responseContentDisposition":"inline"}"#, "versionId", "3"),
            (#"{"prefix":"é/","delimiter":"/","maxKeys":5}"#, "prefix", "v1/é/"),
            (#"{"path":"a","method":"PUT","uploadId":"U","partNumber":2}"#, "partNumber", "2"),
        ])
    func query(line: String, name: String, value: String) throws {
        let response = try Self.response(line, try Self.defaults())
        let url = try #require(response.url, "\(response.error ?? "")")
        #expect(queryItems(of: url)[name] == value)
        #expect(try verification(of: url, method: try #require(response.method), at: Self.time) == .valid)
    }

    @Test("Options are defaults for fields that a line leaves out")
    func options() throws {
        var defaults = try Self.defaults()
        (defaults.contentType, defaults.uploadId) = ("image/png", "U")
        for (line, uploadId, seconds) in [
            (#"{"path":"a"}"#, "U", "900"), (#"{"path":"a","uploadId":"V","expiresIn":5}"#, "V", "5"),
            (#"{"path":"a","method":"PUT","partNumber":2}"#, "U", "900"),
        ] {
            let query = queryItems(of: try #require(try Self.response(line, defaults).url))
            #expect(query["uploadId"] == uploadId && query["X-Amz-Expires"] == seconds, "\(line)")
        }
        defaults.uploadId = nil
        for (line, type) in [
            (#"{"path":"a","method":"PUT"}"#, "image/png"), (#"{"path":"a","method":"POST"}"#, "image/png"),
            (#"{"path":"a","method":"PUT","contentType":"a/b"}"#, "a/b"), (#"{"path":"a"}"#, nil),
            (#"{"path":"a","method":"DELETE"}"#, nil),
        ] {
            #expect(try Self.response(line, defaults).headers?["content-type"] == type, "\(line)")
        }
    }

    @Test(
        "Errors name the field",
        arguments: [
            (#"{"path":"a","expiresin":60}"#, "expiresin: unknown field; did you mean `expiresIn`?"),
            (#"{"path":"a","id":1}"#, "id: unknown field"), (#"{"path":"a","extra":{}}"#, "extra: unknown field"),
            (#"{"path":"a","bucket":"b"}"#, "bucket: unknown field"),
            (#"{"path":"a","store":"b"}"#, "store: needs the service; omit it"),
            (#"{"path":"a","share":true}"#, "share: needs the service"),
            (#"{"path":"a","form":true,"method":"POST"}"#, "form: needs the service"),
            (#"{"path":"a","validateObjectExistence":true}"#, "validateObjectExistence: needs the service"),
            (#"{"path":"a","key":"a"}"#, "key: is the same field as `path`"), ("{}", "path: is missing"),
            (#"{"path":1,"method":"PATCH"}"#, "path: must be a string; method: must be GET"),
            (
                #"{"path":"a","method":"PUT","contentLength":5368709121}"#, "(5 GiB); use a multipart upload"
            ),
            (
                #"{"path":"a","method":"PUT","uploadId":"u","partNumber":1,"contentLength":5368709121}"#,
                "(5 GiB); use smaller parts"
            ),
            (#"{"path":"a","method":"PUT","storageClass":"STANDARDIA"}"#, "did you mean `STANDARD_IA`?"),
            (#"{"path":"a","method":"PUT","metadata":{"X-AMZ-META-a":"b"}}"#, "leave out the prefix"),
            (#"{"path":"a","method":"PUT","acl":"public"}"#, "acl: must be private, public-read or"),
            (
                #"{"path":"a","responseContentDisposition":"attachment; filename=\"é\""}"#,
                "send `attachment; filename*=UTF-8''%C3%A9`"
            ),
            (#"{"path":"a","responseContentType":"text/é"}"#, "responseContentType: must be printable ASCII"),
            (#"{"path":"a","expiresIn":0}"#, "expiresIn"), (#"{"path":"a","expiresIn":604801}"#, "expiresIn"),
            (#"{"path":"a","method":"PUT","partNumber":1}"#, "uploadId: is missing"),
            (#"{"path":"a","path":"b"}"#, "the line is malformed: duplicate field"),
            ("nonsense", "the line is malformed"), ("[1]", "the line is malformed"), ("", "the line is empty"),
        ])
    func mistakes(line: String, message: String) throws {
        let response = try Self.response(line, try Self.defaults())
        #expect(response.url == nil && response.error?.contains(message) == true, "\(response.error ?? "")")
    }

    @Test("Missing credentials and a missing bucket are reported")
    func missing() throws {
        let none = SigningDefaults(
            endpoint: S3EndpointOptions(bucket: "acme-media", region: "eu-west-1"), credentials: nil)
        #expect(try Self.response(#"{"path":"a"}"#, none).error?.contains("credentials: not found") == true)
        var some = try Self.defaults()
        some.endpoint = nil
        #expect(try Self.response(#"{"path":"a"}"#, some).error?.contains("bucket: is missing") == true)
    }
}
