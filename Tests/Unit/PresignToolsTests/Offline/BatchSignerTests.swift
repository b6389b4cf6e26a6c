import Foundation
import PresigningTestSupport
import Testing

@testable import PresignTools
@testable import Presigning

@Suite("Offline batches")
struct BatchSignerTests {
    private struct Line: Decodable {
        let id: String?
        let url: String?
        let error: String?
    }

    private static func defaults(prefix: String = "") throws -> SigningDefaults {
        let options = S3EndpointOptions(bucket: "acme-media", region: "eu-west-1")
        let credentials = try Credentials(
            accessKeyID: "AKIDLIVE", secretAccessKey: TestCredentials.secret)
        var defaults = SigningDefaults(endpoint: options, credentials: credentials, expiresIn: 900)
        defaults.prefix = Array(prefix.utf8)
        return defaults
    }

    private static let time = SigningTime(secondsSince1970: 1_795_237_200)

    private static func response(_ line: String, _ defaults: SigningDefaults) throws -> Line {
        var signer = BatchSigner(defaults: defaults)
        let response = signer.response(to: Array(line.utf8)[...], at: time)
        #expect(response.last == 0x0A && response.count { $0 == 0x0A } == 1)
        return try JSONDecoder().decode(Line.self, from: Data(response))
    }

    @Test(
        "the defaults supply the fields that a line leaves out",
        arguments: [
            (#"{"key":"a b"}"#, "https://acme-media.s3.eu-west-1.amazonaws.com/v1/a%20b", "900"),
            (#"{"path":"a","expiresIn":60}"#, "https://acme-media.s3.eu-west-1.amazonaws.com/v1/a", "60"),
            (#"{"key":"a","bucket":"other-1"}"#, "https://other-1.s3.eu-west-1.amazonaws.com/a", "900"),
            (#"{"key":"a","accelerate":true}"#, "https://acme-media.s3-accelerate.amazonaws.com/v1/a", "900"),
            (#"{"key":"a","region":"eu-west-2"}"#, "https://acme-media.s3.eu-west-2.amazonaws.com/v1/a", "900"),
            (#"{"key":"a","endpoint":"http://127.0.0.1:9000"}"#, "http://127.0.0.1:9000/acme-media/v1/a", "900"),
            (#"{"key":"a","addressing":"path"}"#, "https://s3.eu-west-1.amazonaws.com/acme-media/v1/a", "900"),
        ])
    func defaulted(line: String, location: String, expiresIn: String) throws {
        let url = try #require(try Self.response(line, try Self.defaults(prefix: "v1/")).url)
        #expect(url.prefix { $0 != "?" } == location)
        #expect(queryItems(of: url)["X-Amz-Expires"] == expiresIn)
        #expect(try verification(of: url, method: "GET", at: Self.time) == .valid)
    }

    @Test("a line can carry its own date and credentials")
    func own() throws {
        let line = #"""
            {"id":"1","key":"a","date":"2020-01-02T03:04:05Z","bucket":"own-1","region":"us-east-2",\#
            "credentials":{"accessKeyId":"AKIDOWN","secretAccessKey":"s","sessionToken":"t/+"}}
            """#
        let empty = SigningDefaults(endpoint: nil, credentials: nil)
        let query = queryItems(of: try #require(try Self.response(line, empty).url))
        #expect(query["X-Amz-Credential"] == "AKIDOWN/20200102/us-east-2/s3/aws4_request")
        #expect(query["X-Amz-Date"] == "20200102T030405Z" && query["X-Amz-Security-Token"] == "t/+")
    }

    @Test(
        "ids are copied to the output, also with an error",
        arguments: [
            (#"{"id":"x\"\n","key":"a"}"#, #"{"id":"x\"\n","url":"#), (#"{"id":17,"key":"a"}"#, #"{"id":17,"url":"#),
            (#"{"key":"a"}"#, #"{"id":null,"url":"#), (#"{"id":"e"}"#, #"{"id":"e","error":"#),
            (#"{"id":1.50,"key":""}"#, #"{"id":1.50,"error":"#), (#"{"id":"e","key":"a","#, #"{"id":"e","error":"#),
            ("nonsense", #"{"id":null,"error":"#), ("", #"{"id":null,"error":"#), ("[1]", #"{"id":null,"error":"#),
        ])
    func ids(line: String, start: String) throws {
        var signer = BatchSigner(defaults: try Self.defaults())
        let response = String(decoding: signer.response(to: Array(line.utf8)[...], at: Self.time), as: UTF8.self)
        #expect(response.hasPrefix(start), "\(response)")
    }

    @Test(
        "errors name the field",
        arguments: [
            (#"{"key":"a","expiresin":60}"#, "expiresIn"), (#"{"key":"a","ContentType":"a/b"}"#, "contentType"),
            (#"{"key":"a","uploadID":"u"}"#, "uploadId"), (#"{"Key":"a"}"#, "key"), ("{}", "key"),
            (#"{"key":1}"#, "key"), (#"{"key":"a","expiresIn":"60"}"#, "expiresIn"),
            (#"{"key":"a","expiresIn":0}"#, "expiresIn"), (#"{"key":"a","expiresIn":604801}"#, "expiresIn"),
            (#"{"key":"a","date":"yesterday"}"#, "date"), (#"{"key":"a","operation":"copyObject"}"#, "operation"),
            (#"{"key":"a","method":"PATCH"}"#, "method"), (#"{"key":"a","method":"PUT","partNumber":1}"#, "uploadId"),
            (#"{"key":"a","credentials":{"accessKeyId":"a"}}"#, "secretAccessKey"),
            (#"{"key":"a","addressing":"dns"}"#, "addressing"), (#"{"key":"a","bucket":"x/y"}"#, "bucket"),
            (#"{"key":"a","key":"b"}"#, "duplicate name"), (#"{"key":"a","extra":7}"#, "extra"),
        ])
    func mistakes(line: String, named: String) throws {
        let response = try Self.response(line, try Self.defaults())
        #expect(response.url == nil)
        #expect(response.error?.contains(named) == true, "\(response.error ?? "")")
        #expect(response.error?.contains(TestCredentials.secret) == false)
    }

    @Test("missing credentials, bucket and region are reported")
    func missing() throws {
        let none = SigningDefaults(endpoint: nil, credentials: nil)
        #expect(try Self.response(#"{"key":"a"}"#, none).error?.contains("credentials") == true)
        var some = try Self.defaults()
        some.endpoint = nil
        #expect(try Self.response(#"{"key":"a"}"#, some).error?.contains("bucket") == true)
        #expect(try Self.response(#"{"key":"a","bucket":"own-1"}"#, some).error?.contains("region") == true)
    }
}
