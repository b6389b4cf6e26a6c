import Foundation
import HTTPServerTestSupport
import PresigningTestSupport
import SocketTestSupport
import TestSupport
import Testing

@testable import PresignServiceTestSupport
@testable import Presigning

@Suite("Remote signing for Apache Iceberg")
struct RemoteSigningTests {
    typealias Key = SampleConfiguration.Key
    static let host = "https://acme-media.s3.eu-west-1.amazonaws.com/"

    static func ask(
        _ question: RemoteQuestion, store: String = "media", as key: String? = Key.web, of service: TestService? = nil
    ) throws -> Exchange {
        try (service ?? TestService(SampleConfiguration.remote))
            .post("/iceberg/\(store)/sign", try question.json, as: key)
    }

    struct Allowed: CustomTestStringConvertible, Sendable {
        let question: RemoteQuestion
        let store: String
        /// The start of the URL without the query.
        let url: String
        let query: [String: String]
        let signed: [String]
        var testDescription: String { "\(store): \(question)" }

        init(
            _ question: RemoteQuestion, _ url: String, _ query: [String: String] = [:], signs signed: [String] = [],
            in store: String = "media", _ region: String = "eu-west-1"
        ) {
            var question = question
            question.region = region
            (self.question, self.url, self.query, self.signed, self.store) = (question, url, query, signed, store)
        }
    }

    private static let path = "https://s3.eu-west-1.amazonaws.com/acme-media/"
    private static let checked = [
        "x-amz-checksum-crc32": "NSRBwg==", "X-Amz-SDK-Checksum-Algorithm": "CRC32", "User-Agent": "Botocore",
    ]

    static let allowed = [
        Allowed(.init("GET", host + "wh/a"), host + "wh/a"),
        Allowed(.init("HEAD", "HTTPS://ACME-MEDIA.S3.EU-WEST-1.amazonaws.com:443/wh/a"), host + "wh/a"),
        Allowed(.init("GET", path + "wh/a"), host + "wh/a"),
        Allowed(.init("DELETE", path + "wh/a?x-id=DeleteObject"), host + "wh/a"),
        Allowed(
            .init(
                "GET", host + "wh/year=2026/a%20b%2B%25%C3%BC",
                ["Range": "bytes=0-9", "host": "ACME-media.s3.eu-west-1.amazonaws.com"]),
            host + "wh/year%3D2026/a%20b%2B%25%C3%BC"),
        Allowed(.init("GET", host + "wh/year%3D2026/a+b"), host + "wh/year%3D2026/a%2Bb"),
        Allowed(
            .init("GET", host + "wh/a?x-id=GetObject&response-content-language=de", ["x-amz-checksum-mode": "ENABLED"]),
            host + "wh/a", ["response-content-language": "de"], signs: ["x-amz-checksum-mode"]),
        Allowed(
            .init("PUT", host + "wh/a", checked), host + "wh/a",
            signs: ["x-amz-checksum-crc32", "x-amz-sdk-checksum-algorithm"]),
        Allowed(
            .init(
                "PUT", host + "wh/a",
                [
                    "content-length": "5", "content-type": "text/csv", "if-none-match": "*", "x-amz-meta-a": "b",
                    "cache-control": "no-store", "x-amz-content-sha256": "UNSIGNED-PAYLOAD",
                ]), host + "wh/a",
            signs: [
                "cache-control", "content-length", "content-type", "if-none-match", "x-amz-content-sha256",
                "x-amz-meta-a",
            ]),
        Allowed(.init("POST", host + "wh/a?uploads"), host + "wh/a", ["uploads": ""]),
        Allowed(
            .init("POST", host + "wh/a?uploads=", ["x-amz-checksum-algorithm": "CRC32"]), host + "wh/a",
            ["uploads": ""], signs: ["x-amz-checksum-algorithm"]),
        Allowed(
            .init("PUT", host + "wh/a?uploadId=u%2F%2B%3D&partNumber=1", checked), host + "wh/a",
            ["uploadId": "u/+=", "partNumber": "1"], signs: ["x-amz-checksum-crc32", "x-amz-sdk-checksum-algorithm"]),
        Allowed(.init("GET", host + "wh/a?uploadId=u"), host + "wh/a", ["uploadId": "u"]),
        Allowed(.init("DELETE", host + "wh/a?uploadId=u"), host + "wh/a", ["uploadId": "u"]),
        Allowed(
            .init("POST", host + "wh/a?uploadId=u", ["content-length": "300", "content-type": "application/xml"]),
            host + "wh/a", ["uploadId": "u"]),
        Allowed(
            .init("GET", host + "?list-type=2&prefix=wh%2F&delimiter=&max-keys=1&encoding-type=url"), host,
            ["list-type": "2", "prefix": "wh/", "max-keys": "1", "encoding-type": "url"]),
        Allowed(
            .init(
                "GET",
                path.dropLast()
                    + "?list-type=2&prefix=wh/&delimiter=/&continuation-token=t&start-after=wh/a&fetch-owner=false"),
            host,
            ["list-type": "2", "prefix": "wh/", "delimiter": "/", "continuation-token": "t", "start-after": "wh/a"]),
        Allowed(
            .init("GET", "https://s3.us-east-1.amazonaws.com/acme.archive/v1/wh/a"),
            "https://s3.us-east-1.amazonaws.com/acme.archive/v1/wh/a", in: "archive", "us-east-1"),
        Allowed(
            .init(
                "GET", "https://s3.us-east-1.amazonaws.com/acme.archive/?list-type=2&prefix=v1/wh/&start-after=v1/wh/a"),
            "https://s3.us-east-1.amazonaws.com/acme.archive/",
            ["list-type": "2", "prefix": "v1/wh/", "start-after": "v1/wh/a"], in: "archive", "us-east-1"),
        Allowed(
            .init("GET", "https://acme-fast.s3-accelerate.amazonaws.com/public/a"),
            "https://acme-fast.s3-accelerate.amazonaws.com/public/a", in: "fast", "us-east-1"),
        Allowed(
            .init("GET", "https://s3.us-east-1.amazonaws.com/acme-fast/public/a"),
            "https://acme-fast.s3-accelerate.amazonaws.com/public/a", in: "fast", "us-east-1"),
        Allowed(
            .init("GET", "https://files.example.com/acme-inside/public/a"),
            "https://files.example.com/acme-inside/public/a", in: "inside", "eu-central-1"),
        Allowed(
            .init("GET", "https://acme-inside.files.example.com/public/a"),
            "https://files.example.com/acme-inside/public/a", in: "inside", "eu-central-1"),
    ]

    @Test("The URL is written from the operation, and signs what the rules and the storage need", arguments: allowed)
    func signed(_ item: Allowed) throws {
        // A pattern of `deny` for all folders would refuse listings.
        let service = try TestService(SampleConfiguration.remoteWithoutDenials)
        let exchange = try Self.ask(item.question, store: item.store, of: service)
        #expect(exchange.status == 200, "\(exchange.response.text)")
        let answer = try RemoteAnswer(exchange.response)
        #expect(answer.headers.isEmpty && answer.uri.hasPrefix(item.url + "?"), "\(answer.uri)")
        var query = answer.items
        for name in ["Algorithm", "Credential", "Date", "Expires", "SignedHeaders", "Signature"] {
            #expect(query.removeValue(forKey: "X-Amz-\(name)") != nil)
        }
        #expect(query == item.query)
        #expect(answer.signedHeaders.filter { $0 != "host" } == item.signed)
        #expect(answer.items["X-Amz-Expires"] == "60")
        let sent = item.question.headers.filter { item.signed.contains($0.key.lowercased()) }.compactMapValues(\.first)
        #expect(
            try verification(
                of: answer.uri, method: item.question.method, headers: sent, at: TestClock.startTime) == .valid)
        #expect(exchange.audit.count == 1 && exchange.audit[0].event == "presign" && exchange.audit[0].expiresIn == 60)
        let isReusable = ["GET", "HEAD"].contains(item.question.method)
        #expect(exchange["cache-control"] == (isReusable ? "private" : "no-cache"))
    }

    @Test(
        "A URL lives 60 seconds or as long as the rule allows; clients may use it again only if it outlives their cache",
        arguments: [("wh", "60", "private"), ("long", "60", "private"), ("short", "20", "no-cache")])
    func lifetime(folder: String, seconds: String, cache: String) throws {
        let exchange = try Self.ask(.init("GET", Self.host + folder + "/a"))
        #expect(try RemoteAnswer(exchange.response).items["X-Amz-Expires"] == seconds)
        #expect(exchange["cache-control"] == cache)
    }

    @Test("Only stores with `iceberg: true` have the route, and only for POST")
    func offered() throws {
        let service = try TestService(SampleConfiguration.remote)
        for store in ["off", "nowhere", "media%20", ""] {
            let response = try Self.ask(.init("GET", Self.host + "wh/a"), store: store, of: service).response
            #expect(response.status == 404, "\(store): \(response.text)")
        }
        #expect(try RemoteError(Self.ask(.init("GET", "x"), store: "off", of: service).response).error.code == 404)
        let bare = try Self.ask(.init("GET", Self.host + "wh/a"), of: TestService())
        #expect(bare.status == 404)
        #expect(try service.get("/iceberg/media/sign").status == 405)
    }

    @Test("An API key or a token is required: no guest, no password, no web page")
    func callers() throws {
        let service = try TestService(SampleConfiguration.remote.replacing("guest: false", with: "guest: true"))
        let question = try RemoteQuestion("GET", Self.host + "public/a").json
        func status(_ key: String?, _ headers: [String]) throws -> Int {
            let exchange = try service.post("/iceberg/media/sign", question, as: key, headers)
            if exchange.status != 200 {
                #expect(try RemoteError(exchange.response).error.code == exchange.status)
            }
            return exchange.status
        }
        #expect(try status(Key.web, []) == 200)
        #expect(try status(nil, ["Authorization: Bearer \(Key.web)"]) == 200)
        #expect(try status(nil, []) == 401)
        let password = Data("any:\(Key.web)".utf8).base64EncodedString()
        #expect(try status(nil, ["Authorization: Basic \(password)"]) == 401)
        #expect(try status(Key.wrongSecret, []) == 401)
        #expect(try status(Key.web, ["Origin: https://app.example.com"]) == 403)
        #expect(try status(Key.web, ["Origin: https://evil.example"]) == 403)
    }
}
