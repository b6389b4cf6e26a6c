import Foundation
import PresigningTestSupport
import Testing

@testable import PresignTools
@testable import Presigning

@Suite("Fields of a batch line")
struct BatchMemberTests {
    private static let time = SigningTime(secondsSince1970: 1_795_237_200)

    private static func defaults() throws -> SigningDefaults {
        let credentials = try Credentials(accessKeyID: "AKIDLIVE", secretAccessKey: TestCredentials.secret)
        return SigningDefaults(
            endpoint: S3EndpointOptions(bucket: "acme-media", region: "eu-west-1"), credentials: credentials)
    }

    private static func response(_ line: String, _ defaults: SigningDefaults) throws -> (url: String?, error: String?) {
        struct Line: Decodable { let url: String?, error: String? }
        var signer = BatchSigner(defaults: defaults)
        let line = try JSONDecoder().decode(
            Line.self, from: Data(signer.response(to: Array(line.utf8)[...], at: time)))
        return (line.url, line.error)
    }

    /// A line with the expected query parameters, headers and method of its URL.
    private struct Signed: Sendable {
        let line: String
        var query: [String: String] = [:]
        var headers: [String: String] = [:]
        let method: String
    }

    @Test("options are defaults for fields that a line leaves out")
    func options() throws {
        var defaults = try Self.defaults()
        (defaults.expiresIn, defaults.contentType, defaults.uploadId) = (60, "image/png", "U")
        try check(
            [
                Signed(line: #"{"key":"a"}"#, query: ["X-Amz-Expires": "60", "uploadId": "U"], method: "GET"),
                Signed(line: #"{"key":"a","uploadId":"V"}"#, query: ["uploadId": "V"], method: "GET"),
                Signed(
                    line: #"{"key":"a","method":"PUT","partNumber":2}"#,
                    query: ["uploadId": "U", "partNumber": "2"], method: "PUT"),
                Signed(line: #"{"key":"a","expiresIn":5}"#, query: ["X-Amz-Expires": "5"], method: "GET"),
            ], defaults)
        #expect(
            try Self.response(#"{"key":"a","operation":"getObject"}"#, defaults).error?.contains("uploadId") == true)
        defaults.uploadId = nil
        try check(
            [
                Signed(line: #"{"key":"a","method":"PUT"}"#, headers: ["content-type": "image/png"], method: "PUT"),
                Signed(
                    line: #"{"key":"a","method":"PUT","contentType":"a/b"}"#, headers: ["content-type": "a/b"],
                    method: "PUT"),
                Signed(line: #"{"key":"a"}"#, method: "GET"),
                Signed(line: #"{"key":"a","method":"DELETE"}"#, method: "DELETE"),
            ], defaults)
    }

    @Test("region and endpoint apply to lines with their own bucket; a null endpoint is AWS")
    func ownBucket() throws {
        var defaults = try Self.defaults()
        (defaults.endpoint, defaults.region) = (nil, "eu-west-3")
        let own = #"{"key":"a","bucket":"other-1"}"#
        #expect(
            try Self.response(own, defaults).url?.hasPrefix("https://other-1.s3.eu-west-3.amazonaws.com/a?") == true)
        defaults.endpoint = S3EndpointOptions(bucket: "b", region: "auto", endpoint: "https://s3.example")
        #expect(try Self.response(own, defaults).url?.hasPrefix("https://s3.example/other-1/a?") == true)
        let amazon = #"{"key":"a","bucket":"other-1","region":"us-east-2","endpoint":null}"#
        #expect(
            try Self.response(amazon, defaults).url?.hasPrefix("https://other-1.s3.us-east-2.amazonaws.com/a?") == true)
    }

    @Test("extra accepts the parameter names of S3")
    func extra() throws {
        try check(
            [
                Signed(
                    line: #"{"key":"a","extra":{"VersionId":"3","ResponseContentDisposition":"inline"}}"#,
                    query: ["versionId": "3", "response-content-disposition": "inline"], method: "GET"),
                Signed(
                    line: #"""
                        {"key":"a","method":"PUT","contentType":"a/b",\#
                        "extra":{"Metadata":{"owner":"x"},"ContentLength":3,"IfNoneMatch":"*"}}
                        """#,
                    headers: [
                        "content-type": "a/b", "x-amz-meta-owner": "x", "content-length": "3", "if-none-match": "*",
                    ],
                    method: "PUT"),
            ], try Self.defaults())
    }

    @Test(
        "unknown and contradictory fields are rejected by name",
        arguments: [
            (#"{"key":"a","note":"x"}"#, "note: unknown field"),
            (#"{"key":"a","expires":60}"#, "expires: unknown field; did you mean `expiresIn`?"),
            (#"{"key":"a","content_type":"a/b"}"#, "content_type: unknown field; did you mean `contentType`?"),
            (#"{"key":"a","expiresin":60}"#, "did you mean `expiresIn`?"),
            (#"{"key":"a","headers":{}}"#, "headers: unknown field; set parameters of S3 under `extra`"),
            (#"{"key":"a","wire":{"query":[["uploads",""]]}}"#, "wire: unknown field"),
            (#"{"key":"a","ifNoneMatch":"*"}"#, #""extra": {"IfNoneMatch": ...}"#),
            (#"{"key":"a","VersionId":"3"}"#, #""extra": {"VersionId": ...}"#),
            (#"{"key":"a","path":"a"}"#, "path: is an alias of `key`"),
            (#"{"key":"a","operation":"getObjects"}"#, "did you mean `getObject`?"),
            (#"{"key":"a","operation":"getObject","method":"PUT"}"#, "method: PUT contradicts `operation`"),
            (#"{"key":"a","operation":"putObject","uploadId":"u"}"#, "uploadId: contradicts `operation`"),
            (#"{"key":"a","operation":"createMultipartUpload","uploadId":"u"}"#, "uploadId: contradicts"),
            (#"{"key":"a","operation":"putObject","partNumber":1}"#, "partNumber: contradicts `operation`"),
            (#"{"key":"a","operation":"listParts","uploadId":"u","partNumber":1}"#, "partNumber: contradicts"),
            (#"{"key":"a","prefix":"b/"}"#, "prefix: cannot be combined with `key`"),
            (#"{"prefix":"b"}"#, "prefix: the prefix does not end in a slash"),
            (#"{"prefix":"b/","method":"PUT"}"#, "method: must be GET"),
            (#"{"prefix":"b/","operation":"getObject"}"#, "prefix: is required for listObjectsV2, and allowed with no"),
            (#"{"key":"a","operation":"listObjectsV2"}"#, "prefix: is required for listObjectsV2"),
            (#"{"prefix":"b/","operation":"listObjectsV2","uploadId":"u"}"#, "uploadId: contradicts"),
            (#"{"key":"a","operation":"uploadPart","uploadId":"u"}"#, "partNumber"),
            (#"{"key":"a","operation":"listParts"}"#, "uploadId"),
            (#"{"key":"a","uploadId":"u","contentType":"a/b"}"#, "contentType: applies only to putObject"),
            (
                #"{"key":"a","method":"PUT","uploadId":"u","partNumber":1,"contentType":"a/b"}"#,
                "contentType: applies only to"
            ),
            (#"{"key":"a","method":"PUT","contentType":"a/b","extra":{"ContentType":"c/d"}}"#, "content-type"),
            (#"{"key":"a","method":"PUT","uploadId":"u","partNumber":1,"extra":{"PartNumber":2}}"#, "partNumber"),
            (#"{"key":"a","extra":{"UploadId":"u"}}"#, "extra.UploadId: unknown parameter of S3"),
            (#"{"key":"a","extra":{"UploadId":"u"}}"#, "set the field `uploadId` of the line instead"),
            (#"{"key":"a","extra":{"VersionID":"3"}}"#, "did you mean `VersionId`?"),
            (#"{"key":"a","extra":{"ContentLength":1.5}}"#, "extra.ContentLength: must be a whole number"),
            (#"{"key":"a","extra":{"Range":null}}"#, "extra.Range: must be a string"),
            (#"{"key":"a","credentials":"x"}"#, "credentials: must be an object"),
            (
                #"{"key":"a","credentials":{"accessKeyId":"A","secretAccessKey":"s","session_token":"t"}}"#,
                "credentials.session_token: unknown field; did you mean `sessionToken`?"
            ),
            (
                #"""
                {"key":"a","credentials":{"accessKeyId":"A","secretAccessKey":"s","sessionToken":"t",\#
                "expiration":"2020-01-01T00:00:00Z"}}
                """#, "credentials"
            ),
        ])
    func refused(line: String, message: String) throws {
        let response = try Self.response(line, try Self.defaults())
        #expect(response.url == nil && response.error?.contains(message) == true, "\(response)")
    }

    @Test("a line with a prefix lists the objects below it, with the store's prefix before it")
    func listing() throws {
        var defaults = try Self.defaults()
        defaults.prefix = Array("v1/".utf8)
        for line in [
            #"{"prefix":"é/","extra":{"Delimiter":"/","MaxKeys":5}}"#,
            #"{"prefix":"é/","method":"GET","operation":"listObjectsV2","extra":{"Delimiter":"/","MaxKeys":5}}"#,
        ] {
            let url = try #require(try Self.response(line, defaults).url)
            let query = queryItems(of: url)
            #expect(query["prefix"] == "v1/é/" && query["list-type"] == "2" && query["encoding-type"] == "url")
            #expect(query["delimiter"] == "/" && query["max-keys"] == "5")
            #expect(try verification(of: url, method: "GET", at: Self.time) == .valid)
            #expect(url.contains(".com/?"))
        }
    }

    @Test("a URL expires with the credentials of its line")
    func expiration() throws {
        let line = #"""
            {"key":"a","date":"2026-01-01T00:00:00Z","credentials":{"accessKeyId":"A","secretAccessKey":"s",\#
            "sessionToken":"t","expiration":"2026-01-01T00:10:00Z"}}
            """#
        let query = queryItems(of: try #require(try Self.response(line, try Self.defaults()).url))
        #expect(query["X-Amz-Expires"] == "600" && query["X-Amz-Security-Token"] == "t")
    }

    private func check(_ cases: [Signed], _ defaults: SigningDefaults) throws {
        for signed in cases {
            let response = try Self.response(signed.line, defaults)
            let url = try #require(response.url, "\(signed.line): \(response.error ?? "")")
            let query = queryItems(of: url)
            for (name, value) in signed.query { #expect(query[name] == value, "\(signed.line)") }
            #expect(
                try verification(of: url, method: signed.method, headers: signed.headers, at: Self.time) == .valid,
                "\(signed.line)")
            let names = (["host"] + signed.headers.keys).sorted().joined(separator: ";")
            #expect(query["X-Amz-SignedHeaders"] == names, "\(signed.line)")
        }
    }
}
