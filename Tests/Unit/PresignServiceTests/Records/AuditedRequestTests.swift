import Foundation
import ObjectExistence
import PresigningTestSupport
import Requests
import SocketTestSupport
import TestSupport
import Testing

@testable import AccessRules
@testable import DataFormats
@testable import HTTP1
@testable import HTTPServer
@testable import PresignService
@testable import PresignServiceTestSupport
@testable import Presigning
@testable import System
@testable import Telemetry

@Suite("Audit lines of requests")
struct AuditedRequestTests {
    private typealias Key = SampleConfiguration.Key

    /// The audit entries for these requests.
    private func entries(
        _ requests: [String], settings: String = "to: stdout", configuration: SampleConfiguration = .init(),
        storage: [ExistenceOutcome] = []
    ) throws -> [AuditEntry] {
        let service = try TestService(configuration.yaml + "\naudit: {\(settings)}\n", storage: storage)
        for request in requests { _ = try service.exchange(request) }
        return try AuditEntry.all(of: service)
    }

    @Test("An allowed request is recorded with caller, object, rule and lifetime")
    func allowed() throws {
        let body =
            #"{"path":"inbox/a","method":"PUT","contentType":"image/png","contentLength":9,"expiresIn":60,"#
            + #""checksumSHA256":"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="}"#
        let request = presignRequest(body, ["User-Agent: curl/8", "X-Request-Id: r-1"])
        let entry = try #require(try entries([request]).first)
        #expect(entry.event == "presign" && entry.outcome == "allowed" && entry.status == 200)
        #expect(entry.code == nil && entry.reason == nil && entry.unmet == nil && entry.requestId == "r-1")
        #expect(entry.scheme == "apiKey" && entry.apiKey == "web" && entry.identity == "alice")
        #expect(entry.peer == "127.0.0.1" && entry.userAgent == "curl/8")
        #expect(entry.store == "media" && entry.action == "write" && entry.key == "inbox/a")
        #expect(entry.rule?.hasPrefix("inbox/** (test.yaml:") == true)
        #expect(entry.contentType == "image/png" && entry.contentLength == 9 && entry.requestedExpiresIn == 60)
        #expect(entry.bucket == "acme-media" && entry.accessKeyId == "AKIDLIVE" && entry.expiresIn == 60)
        let end = try #require(SigningTime(rfc3339: entry.expiresAt ?? ""))
        let start = try #require(SigningTime(rfc3339: entry.time))
        #expect(end.secondsSince1970 - start.secondsSince1970 == 60)
        #expect(entry.limitedBy == nil && entry.configRevision?.isEmpty == false && entry.durationMicroseconds != nil)
    }

    @Test("A rejected request is recorded with its event, code and exact reason")
    func refused() throws {
        var configuration = SampleConfiguration()
        configuration.guest = true
        configuration.links = true
        let entries = try entries(
            [
                presignRequest(#"{"path":"inbox/a"}"#, key: Key.other),
                presignRequest(#"{"path":"public/.a"}"#),
                presignRequest(#"{"path":"inbox/a","method":"PUT","contentLength":2000}"#),
                presignRequest(#"{"path":"public/a","expiresIn":604800}"#),
                presignRequest(#"{"path":"inbox/a"}"#, key: nil),
                presignRequest(#"{"path":"public/a/../b"}"#), presignRequest("{"), presignRequest("{}", key: Key.off),
                presignRequest("{}", ["Authorization: Bearer x"]), presignRequest("x", type: "text/html"),
                presignRequest(#"{"path":"public/a","validateObjectExistence":true}"#),
                "GET /o/public/a HTTP/1.1\r\nHost: a\r\n\r\n", "GET /o/private/a HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS /presign HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /presign HTTP/1.1\r\nHost: a\r\n\r\n", presignRequest(String(repeating: " ", count: 20_000)),
            ], configuration: configuration, storage: [.status(404)])
        let expected: [(String, String, Int, String?, String?)] = [
            ("authz_fail", "refused", 403, "forbidden", "no-grant"),
            ("authz_fail", "refused", 403, "forbidden", "deny:**/.*"),
            ("authz_fail", "refused", 422, "constraint", "constraint"),
            ("authz_fail", "refused", 422, "constraint", "constraint"),
            ("authz_fail", "refused", 401, "credentials-missing", "no-grant"),
            ("input_validation_fail", "refused", 400, "validation", "path"),
            ("input_validation_fail", "refused", 400, "validation", "validation"),
            ("authn_fail", "refused", 401, "credentials-invalid", "disabled API key"),
            ("authn_fail", "refused", 400, "credentials-ambiguous", "two sets of credentials"),
            ("input_validation_fail", "refused", 415, "unsupported-media-type", "unsupported-media-type"),
            ("presign", "refused", 404, "key-not-found", "key-not-found"), ("presign", "allowed", 307, nil, nil),
            ("authz_fail", "refused", 401, "credentials-missing", "no-rule"),
            ("input_validation_fail", "refused", 413, "body-too-large", HTTPFailure.bodyTooLarge.reason),
        ]
        #expect(entries.count == expected.count)
        for (entry, expected) in zip(entries, expected) {
            #expect(entry.event == expected.0 && entry.outcome == expected.1 && entry.status == expected.2, "\(entry)")
            #expect(entry.code == expected.3 && entry.reason == expected.4, "\(entry)")
            #expect((entry.bucket != nil) == (entry.outcome == "allowed"))
        }
        #expect(
            entries[2].unmet?.map { $0.prefix { $0 != ":" } } == ["contentType", "contentLength", "checksumSHA256"])
        #expect(entries[3].unmet == ["expiresIn: 604800 seconds is more than the maximum (518400 seconds)"])
        #expect(entries[5].unmet?.first?.hasPrefix("path: ") == true)
    }

    @Test("Every item of a batch has its own line, in order; the batch has one only if it is rejected as a whole")
    func batch() throws {
        let items = [
            #"{"path":"public/a"}"#, #"{"path":"no/b"}"#, "{}", #"{"path":"public/c","validateObjectExistence":true}"#,
        ]
        let request = presignRequest(#"{"requests":[\#(items.joined(separator: ","))]}"#)
            .replacing("POST /presign ", with: "POST /presign/batch ")
        let bad = presignRequest("{}", key: Key.off).replacing("POST /presign ", with: "POST /presign/batch ")
        let entries = try entries([request, bad], storage: [.status(404)])
        #expect(entries.map(\.status) == [200, 403, 400, 404, 401])
        #expect(entries.map(\.key) == ["public/a", "no/b", nil, "public/c", nil])
        #expect(entries.map(\.item) == [0, 1, 2, 3, nil])
        #expect(Set(entries.prefix(4).map(\.requestId)).count == 1 && entries.first?.expiresIn == 18_000)
        #expect(entries[3].reason == "key-not-found" && entries[3].bucket == nil && entries[4].event == "authn_fail")
    }

    @Test("Rate-limited requests and batch items are recorded as such")
    func rateLimited() throws {
        let item = #"{"path":"public/a"}"#
        let request = presignRequest(#"{"requests":[\#(item),\#(item)]}"#)
            .replacing("POST /presign ", with: "POST /presign/batch ")
        var configuration = SampleConfiguration()
        configuration.quotas = "{perCaller: {rate: 2/h, burst: 2}}"
        let entries = try entries([presignRequest(item), request], configuration: configuration)
        #expect(entries.map(\.status) == [200, 200, 429] && entries.last?.event == "rate_limited")
        #expect(entries.last?.code == "rate-limited" && entries.last?.apiKey == "web")
    }

    @Test("Identities and paths can be hashed, and equal values have equal hashes")
    func hashes() throws {
        let requests = ["public/a", "public/b", "public/a"].map { presignRequest(#"{"path":"\#($0)"}"#) }
        let entries = try entries(requests, settings: "to: stdout, hashIdentities: true, hashKeys: true")
        #expect(entries[0].identity == "sha256:2bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90")
        #expect(entries[0].key == entries[2].key && entries[0].key != entries[1].key)
        #expect(entries.allSatisfy { $0.key?.hasPrefix("sha256:") == true })
    }

    @Test("For a store with two sources of credentials the line names the key that signed")
    func twoSources() throws {
        let folder = try TemporaryDirectory()
        let profiles = ["reader", "writer"].map {
            "[\($0)]\naws_access_key_id = AKID\($0)\naws_secret_access_key = s\n"
        }
        try folder.write(Array(profiles.joined().utf8), to: "credentials")
        var environment = SampleConfiguration.environment
        environment["AWS_SHARED_CREDENTIALS_FILE"] = folder.path + "/credentials"
        var configuration = SampleConfiguration()
        configuration.links = true
        let yaml = configuration.yaml.replacing(
            "bucket: acme-media,",
            with: "bucket: acme-media, credentials: {read: profile:reader, write: profile:writer},")
        let service = try TestService(yaml + "\naudit: {to: stdout}\n", environment: environment)
        let items = [
            #"{"path":"public/a"}"#, #"{"path":"public/a","method":"PUT"}"#, #"{"path":"public/a","method":"DELETE"}"#,
            #"{"path":"public/a","method":"POST"}"#, #"{"path":"public/a","uploadId":"u"}"#,
            #"{"path":"public/a","method":"HEAD"}"#, #"{"path":"public/a","validateObjectExistence":true}"#,
            #"{"path":"public/a","store":"archive"}"#,
        ]
        let ids = [
            "AKIDreader", "AKIDwriter", "AKIDwriter", "AKIDwriter", "AKIDwriter", "AKIDreader", "AKIDreader",
            "AKIDLIVE",
        ]
        for item in items { #expect(try service.exchange(presignRequest(item)).status == 200, "\(item)") }
        #expect(try service.exchange(batchRequest(items)).batch().statuses == items.map { _ in 200 })
        let link = "GET /o/public/a HTTP/1.1\r\nHost: a\r\nX-API-Key: \(Key.web)\r\n\r\n"
        #expect(try service.exchange(link).status == 307)
        let entries = try AuditEntry.all(of: service)
        let single = entries.filter { $0.item == nil }.map(\.accessKeyId)
        #expect(single == ids + ["AKIDreader"])
        let ofBatch = entries.filter { $0.item != nil }.sorted { ($0.item ?? 0) < ($1.item ?? 0) }
        #expect(ofBatch.map(\.accessKeyId) == ids)
    }

    @Test("No secret is written to the audit, whatever is sent")
    func secrets() throws {
        var environment = SampleConfiguration.environment
        environment["AWS_SESSION_TOKEN"] = "SESSIONTOKEN"
        let service = try TestService(
            SampleConfiguration().yaml + "\naudit: {to: stdout}\n", environment: environment)
        let body = #"{"path":"public/a"}"#
        for key in Key.all {
            _ = try service.exchange(presignRequest(body, key: nil, ["Authorization: Bearer " + key]))
            _ = try service.exchange(presignRequest(body, key: key, ["Cookie: COOKIEVALUE"]))
            _ = try service.exchange(presignRequest("{\"\(key)\":1}", key: key))
            _ = try service.exchange(presignRequest(body, key: key, type: key))
        }
        let lines = service.logLines() + service.auditLines()
        #expect(lines.count == 2 * 4 * Key.all.count)
        let forbidden =
            Key.all + [TestCredentials.secret, "SESSIONTOKEN", "COOKIEVALUE", "X-Amz-", "https://", "Bearer "]
        for secret in forbidden { #expect(!lines.joined().contains(secret), "\(secret)") }
    }
}
