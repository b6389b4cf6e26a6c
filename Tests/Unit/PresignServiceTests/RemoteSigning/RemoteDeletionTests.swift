import Cryptography
import Foundation
import HTTPServerTestSupport
import PresigningTestSupport
import SocketTestSupport
import TestSupport
import Testing

@testable import PresignServiceTestSupport
@testable import Presigning

@Suite("DeleteObjects for Apache Iceberg")
struct RemoteDeletionTests {
    private static let host = RemoteSigningTests.host
    private static let own = "https://acme-own.s3.eu-west-1.amazonaws.com/?delete"

    private static func deletion(_ keys: [String], _ headers: [String: String] = [:]) -> RemoteQuestion {
        RemoteQuestion("POST", host + "?delete", headers, body: RemoteQuestion.document(keys))
    }

    /// Verifies what a storage gets.
    private static func verification(
        of answer: RemoteAnswer, _ headers: [String: String], after seconds: Int64 = 0
    ) throws -> PresignedURLVerification {
        let url = try #require(URLComponents(string: answer.uri))
        let all = headers.merging(answer.headers.mapValues { $0[0] }) { $1 }
        let request = PresignedURLVerifier.Request(
            method: "POST", host: url.host ?? "",
            target: Array("\(url.percentEncodedPath)?\(url.percentEncodedQuery ?? "")".utf8),
            headers: all.map { ($0.key, $0.value) })
        let credentials = try Credentials(
            accessKeyID: TestCredentials.accessKeyID, secretAccessKey: TestCredentials.secret)
        let time = TestClock.startTime.advanced(bySeconds: Int(seconds))
        return PresignedURLVerifier().verify(try ReceivedSignature(headersOf: request), at: time) { _ in
            credentials.secretAccessKey
        }
    }

    @Test("The signature covers the body and lives 15 minutes; each object is decided, counted and audited")
    func signed() throws {
        let service = try TestService(SampleConfiguration.remote)
        let headers = ["x-amz-checksum-crc32": "5S94mQ==", "x-amz-sdk-checksum-algorithm": "CRC32"]
        let question = Self.deletion(["wh/a", "wh/b&amp;c"], headers)
        let exchange = try RemoteSigningTests.ask(question, of: service)
        #expect(exchange.status == 200, "\(exchange.response.text)")
        let answer = try RemoteAnswer(exchange.response)
        #expect(answer.uri == Self.host + "?delete=" && exchange["cache-control"] == "no-cache")
        #expect(Set(answer.headers.keys) == ["authorization", "x-amz-content-sha256", "x-amz-date"])
        let hash = try #require(answer.headers["x-amz-content-sha256"])
        #expect(hash == [hexadecimal(question.body ?? "")])
        #expect(try Self.verification(of: answer, headers) == .valid)
        #expect(try Self.verification(of: answer, headers, after: 900) == .valid)
        #expect(try Self.verification(of: answer, headers, after: 901) == .expired)
        #expect(
            try Self.verification(of: answer, headers.merging(["x-amz-checksum-crc32": "x"]) { $1 })
                == .tampered(.signature))
        #expect(exchange.audit.map(\.key) == ["wh/a", "wh/b&c"] && exchange.audit.map(\.item) == [0, 1])
        #expect(exchange.audit.allSatisfy { $0.action == "delete" && $0.expiresIn == 900 && $0.event == "presign" })
        let metrics = try service.get("/metrics").response.text
        #expect(metrics.contains(#"presign_urls_total{store="media",operation="DeleteObject"} 2"#), "\(metrics)")
    }

    private func hexadecimal(_ text: String) -> String {
        SHA256.hash(Array(text.utf8)).bytes.map { String(format: "%02x", $0) }.joined()
    }

    @Test("A session token is part of the signature")
    func session() throws {
        let environment = SampleConfiguration.environment.merging(["AWS_SESSION_TOKEN": "token"]) { $1 }
        let service = try TestService(SampleConfiguration.remote, environment: environment)
        let answer = try RemoteAnswer(RemoteSigningTests.ask(Self.deletion(["wh/a"]), of: service).response)
        #expect(answer.headers["x-amz-security-token"] == ["token"])
        #expect(try Self.verification(of: answer, [:]) == .valid)
    }

    struct Refused: CustomTestStringConvertible, Sendable {
        let question: RemoteQuestion
        let status: Int
        let name: String
        let store: String
        var testDescription: String { "\(status) \(name) \(question.description.prefix(200))" }

        init(_ question: RemoteQuestion, _ status: Int, _ name: String, in store: String = "media") {
            (self.question, self.status, self.name, self.store) = (question, status, name, store)
        }

        init(_ keys: [String], _ status: Int, _ name: String = "") { self.init(deletion(keys), status, name) }

        init(document: String, _ status: Int = 400, _ name: String = "body") {
            self.init(RemoteQuestion("POST", host + "?delete", body: document), status, name)
        }
    }

    static let cases = [
        Refused(["wh/a", "elsewhere/a"], 403, "access rules"), Refused(["elsewhere/a"], 403, "access rules"),
        Refused(["wh/.a"], 403, "access rules"),
        Refused(["wh/../a"], 400, "\"..\""), Refused(["wh//a"], 400, "two slashes"), Refused([], 400, "body"),
        Refused(["inbox/a"], 403, "access rules"), Refused(["short/a"], 422, "expiresIn: 900 seconds"),
        Refused((0...1000).map { "wh/\($0)" }, 400, "1 to 1000"),
        Refused(document: ""), Refused(document: "<Delete/>"),
        Refused(document: "<Other><Object><Key>wh/a</Key></Object></Other>"),
        Refused(document: "<Delete><Object><Key>wh/a</Key><VersionId>1</VersionId></Object></Delete>"),
        Refused(document: "<Delete><Object><Key>wh/a</Key><Key>wh/b</Key></Object></Delete>"),
        Refused(document: "<Delete><Object></Object></Delete>"),
        Refused(document: "<Delete><Object><Key>wh/a</Key></Object><Object><Key/></Object></Delete>"),
        Refused(document: "<!DOCTYPE a [<!ENTITY k \"wh/a\">]><Delete><Object><Key>&k;</Key></Object></Delete>"),
        Refused(document: "<Delete><Object><Key>wh/a</Key></Object><Thing/></Delete>"),
        Refused(
            deletion(["wh/a"], ["x-amz-bypass-governance-retention": "true"]), 400, "x-amz-bypass-governance-retention"),
        Refused(deletion(["wh/a"], ["x-amz-mfa": "1"]), 400, "x-amz-mfa"),
        Refused(deletion(["wh/a"], ["x-amz-content-sha256": "UNSIGNED-PAYLOAD"]), 400, "x-amz-content-sha256"),
        Refused(RemoteQuestion("POST", host + "?delete&versionId=1", body: "x"), 400, "versionId"),
        Refused(RemoteQuestion("POST", host + "?delete=x", body: "x"), 400, "delete"),
        Refused(RemoteQuestion("POST", host + "?delete&x-id=GetObject", body: "x"), 400, "x-id"),
        Refused(RemoteQuestion("PUT", host + "?delete", body: "x"), 400, "delete"),
        // Without a body: denied by `deny`, by another store with the bucket.
        Refused(RemoteQuestion("POST", host + "?delete"), 403, "body"),
        Refused(RemoteQuestion("POST", own), 403, "body", in: "own"),
        Refused(
            RemoteQuestion("POST", own.replacing("own", with: "twin")), 400, "no other store has its bucket", in: "twin"
        ),
    ]

    @Test("One refused object refuses all, and the error names what is wrong", arguments: cases)
    func refused(_ item: Refused) throws {
        let exchange = try RemoteSigningTests.ask(item.question, store: item.store)
        #expect(exchange.status == item.status, "\(exchange.response.text)")
        #expect(try RemoteError(exchange.response).error.message.contains(item.name), "\(exchange.response.text)")
        #expect(exchange.audit.count == 1 && exchange.audit[0].bucket == nil)
    }

    @Test("Without its body it is signed for a store whose every key the caller may delete")
    func withoutBody() throws {
        let service = try TestService(SampleConfiguration.remoteWithoutDenials)
        let exchange = try RemoteSigningTests.ask(RemoteQuestion("POST", Self.own), store: "own", of: service)
        #expect(exchange.status == 200, "\(exchange.response.text)")
        let answer = try RemoteAnswer(exchange.response)
        #expect(answer.headers["x-amz-content-sha256"] == ["UNSIGNED-PAYLOAD"])
        #expect(try Self.verification(of: answer, [:]) == .valid)
        #expect(exchange.audit.count == 1 && exchange.audit[0].action == "delete" && exchange.audit[0].key == "")
        #expect(
            try RemoteSigningTests.ask(
                RemoteQuestion("POST", Self.own), store: "own", as: SampleConfiguration.Key.other, of: service
            ).status == 403)
        #expect(try RemoteSigningTests.ask(RemoteQuestion("POST", Self.host + "?delete"), of: service).status == 403)
        let archive = "https://s3.us-east-1.amazonaws.com/acme.archive/?delete"
        var prefixed = RemoteQuestion("POST", archive)
        prefixed.region = "us-east-1"
        #expect(try RemoteSigningTests.ask(prefixed, store: "archive", of: service).status == 400)
        let short = try TestService(
            SampleConfiguration.remoteWithoutDenials.replacing("expires: {max: 6d}", with: "expires: {max: 10m}"))
        let refused = try RemoteSigningTests.ask(RemoteQuestion("POST", Self.own), store: "own", of: short)
        #expect(refused.status == 422 && refused.response.text.contains("900 seconds"))
    }

    @Test("Each object counts against the limit of the caller")
    func limit() throws {
        let service = try TestService(
            SampleConfiguration.remote.replacing("limits: {}\n", with: "limits: {perCaller: {rate: 3/h, burst: 3}}\n"))
        #expect(try RemoteSigningTests.ask(Self.deletion(["wh/a", "wh/b"]), of: service).status == 200)
        #expect(try RemoteSigningTests.ask(Self.deletion(["wh/a", "wh/b"]), of: service).status == 429)
    }

    @Test("A thousand objects are signed together")
    func thousand() throws {
        let keys = (0..<1000).map { "wh/" + String(repeating: "k", count: 100) + "\($0)" }
        let exchange = try RemoteSigningTests.ask(Self.deletion(keys))
        #expect(exchange.status == 200 && exchange.audit.count == 1000)
    }
}
