import Foundation
import Presigning
import PresigningTestSupport
import Testing

@testable import SigningVectors

@Suite("The wire format of the signing vectors")
struct VectorSignerTests {
    private static let time = SigningTime(secondsSince1970: 1_795_237_200)
    private static let location = #""bucket":"acme-media","region":"eu-west-1""#
    private static let credentials =
        #""credentials":{"accessKeyId":"\#(TestCredentials.accessKeyID)","secretAccessKey":"\#(TestCredentials.secret)"}"#

    /// Returns the response to an object's members, with the location and the credentials unless the members have them.
    private static func response(_ members: String) throws -> (url: String?, error: String?) {
        struct Line: Decodable { let url: String?, error: String? }
        var line = members.hasPrefix("{") && members != "{}" ? String(members.dropFirst()) : "}"
        if !line.contains(#""bucket""#) { line = location + "," + line }
        if !line.contains(#""credentials""#) { line = credentials + "," + line }
        if members == "{}" { line = "\(credentials),\(location)}" }
        var signer = VectorSigner()
        let response = signer.response(to: Array(("{" + line).utf8)[...], at: time)
        #expect(response.last == 0x0A && response.count { $0 == 0x0A } == 1)
        let decoded = try JSONDecoder().decode(Line.self, from: Data(response))
        return (decoded.url, decoded.error)
    }

    @Test(
        "The members of a line are signed",
        arguments: [
            (#"{"key":"a b"}"#, "GET", "https://acme-media.s3.eu-west-1.amazonaws.com/a%20b?", [:]),
            (#"{"key":"a","accelerate":true}"#, "GET", "https://acme-media.s3-accelerate.amazonaws.com/a?", [:]),
            (#"{"key":"a","endpoint":"http://h.example:9"}"#, "GET", "http://h.example:9/acme-media/a?", [:]),
            (#"{"key":"a","addressing":"path"}"#, "GET", "https://s3.eu-west-1.amazonaws.com/acme-media/a?", [:]),
            (
                #"{"path":"a","method":"PUT","contentType":"a/b","extra":{"Metadata":{"o":"x"},"ContentLength":3}}"#,
                "PUT", "https://acme-media.s3", ["content-type": "a/b", "x-amz-meta-o": "x", "content-length": "3"]
            ),
            (
                #"{"key":"a","operation":"completeMultipartUpload","uploadId":"U"}"#, "POST", "https://acme-media.s3",
                [:]
            ),
            (#"{"key":"a","method":"PUT","uploadId":"U","partNumber":2}"#, "PUT", "https://acme-media.s3", [:]),
            (#"{"prefix":"é/","extra":{"Delimiter":"/","MaxKeys":5}}"#, "GET", "https://acme-media.s3", [:]),
        ] as [(String, String, String, [String: String])])
    func signed(members: String, method: String, start: String, headers: [String: String]) throws {
        let response = try Self.response(members)
        let url = try #require(response.url, "\(response.error ?? "")")
        #expect(url.hasPrefix(start), "\(url)")
        #expect(try verification(of: url, method: method, headers: headers, at: Self.time) == .valid)
    }

    @Test("A line carries its own date and credentials, and its URL expires with them")
    func own() throws {
        let line = #"""
            {"key":"a","date":"2026-01-01T00:00:00Z","credentials":{"accessKeyId":"A","secretAccessKey":"s",\#
            "sessionToken":"t/+","expiration":"2026-01-01T00:10:00Z"}}
            """#
        let query = queryItems(of: try #require(try Self.response(line).url))
        #expect(query["X-Amz-Credential"] == "A/20260101/eu-west-1/s3/aws4_request")
        #expect(query["X-Amz-Date"] == "20260101T000000Z" && query["X-Amz-Security-Token"] == "t/+")
        #expect(query["X-Amz-Expires"] == "600")
    }

    @Test(
        "Unknown, invalid and contradictory members are rejected by name",
        arguments: [
            (#"{"key":"a","note":"x"}"#, "note: unknown field"),
            (#"{"key":"a","expires":60}"#, "expires: unknown field; did you mean `expiresIn`?"),
            (#"{"key":"a","ifNoneMatch":"*"}"#, #""extra": {"IfNoneMatch": ...}"#),
            (#"{"key":"a","path":"a"}"#, "path: is an alias of `key`"), ("{}", "key: is missing"),
            (#"{"key":"a","operation":"getObjects"}"#, "did you mean `getObject`?"),
            (#"{"key":"a","operation":"postObject"}"#, "operation: unknown operation"),
            (#"{"key":"a","operation":"getObject","method":"PUT"}"#, "method: PUT contradicts `operation`"),
            (#"{"key":"a","operation":"putObject","uploadId":"u"}"#, "uploadId: contradicts `operation`"),
            (#"{"key":"a","operation":"listParts","uploadId":"u","partNumber":1}"#, "partNumber: contradicts"),
            (#"{"key":"a","operation":"listObjectsV2"}"#, "prefix: is required for listObjectsV2"),
            (#"{"key":"a","operation":"uploadPart","uploadId":"u"}"#, "partNumber"),
            (#"{"key":"a","operation":"listParts"}"#, "uploadId"),
            (#"{"key":"a","method":"PATCH"}"#, "method: no operation has PATCH"),
            (#"{"key":"a","uploadId":"u","contentType":"a/b"}"#, "contentType: applies only to putObject"),
            (#"{"key":"a","extra":{"UploadId":"u"}}"#, "set the field `uploadId` of the line instead"),
            (#"{"key":"a","extra":{"VersionID":"3"}}"#, "did you mean `VersionId`?"),
            (#"{"key":"a","extra":{"ContentLength":1.5}}"#, "extra.ContentLength: must be a whole number"),
            (#"{"key":"a","extra":{"ChecksumAlgorithm":"SHA256"}}"#, "applies only to createMultipartUpload"),
            (#"{"key":"a","credentials":{"accessKeyId":"a"}}"#, "secretAccessKey"),
            (#"{"key":"a","addressing":"dns"}"#, "addressing"), (#"{"key":"a","bucket":"x/y","region":"r"}"#, "bucket"),
            (#"{"key":"a","bucket":"b-1"}"#, "region: is missing"), (#"{"key":"a","date":"yesterday"}"#, "date"),
            (#"{"key":"a","expiresIn":604801}"#, "expiresIn"), (#"{"key":"a","key":"b"}"#, "duplicate name"),
        ])
    func refused(members: String, message: String) throws {
        let response = try Self.response(members)
        #expect(response.url == nil && response.error?.contains(message) == true, "\(response)")
        #expect(response.error?.contains(TestCredentials.secret) == false)
    }

    @Test(
        "Ids are copied to the output, also with an error",
        arguments: [
            (#"{"id":"x\"\n","key":"a"}"#, #"{"id":"x\"\n","error":"#), (#"{"id":1.50}"#, #"{"id":1.50,"error":"#),
            (#"{"id":"e","key":"a","#, #"{"id":"e","error":"#), ("nonsense", #"{"id":null,"error":"#),
            (#"{"id":17,"key":"a",\#(location),\#(credentials)}"#, #"{"id":17,"url":"#),
        ])
    func ids(line: String, start: String) throws {
        var signer = VectorSigner()
        let response = String(decoding: signer.response(to: Array(line.utf8)[...], at: Self.time), as: UTF8.self)
        #expect(response.hasPrefix(start), "\(response)")
    }
}
