import HTTPServerTestSupport
import ObjectExistence
import Presigning
import PresigningTestSupport
import SocketTestSupport
import TestSupport
import Testing

@testable import PresignServiceTestSupport

@Suite("Git LFS uploads of objects that the storage has")
struct LFSStoredObjectTests {
    private typealias Key = SampleConfiguration.Key

    private static let oid = String(repeating: "a", count: 64)

    /// A service that lets callers read and write below `public`, write below `once`, and read below `seen`.
    private static func service(
        prefix: String = "public", checks: Bool = true, quotas: String = "{}", storage: [ExistenceOutcome]
    ) throws -> TestService {
        var sample = SampleConfiguration()
        sample.quotas = quotas
        let yaml = sample.yaml
            .replacing("default: true", with: "default: true, validateObjectExistence: \(checks)")
            .replacing("deny:", with: "  - {path: seen/**, allow: {authenticated: [get]}}\ndeny:")
        return try TestService(yaml + "\nlfs: {prefix: \(prefix)}\naudit: {to: stdout}\n", storage: storage)
    }

    private static func batch(_ count: Int = 1) -> String {
        let objects = Array(repeating: #"{"oid":"\#(oid)","size":12}"#, count: count).joined(separator: ",")
        return lfsRequest(#"{"operation":"upload","objects":[\#(objects)]}"#, credentials: basic(Key.web))
    }

    @Test(
        "Only an object that exists with exactly the stated size has no actions",
        arguments: [
            (.status(200, length: 12), true), (.status(206, length: 12), true), (.status(200, length: 11), false),
            (.status(200, length: 13), false), (.status(200), false), (.status(404, length: 12), false),
            (.status(403), false), (.status(301, length: 12), false), (.status(500), false), (.timedOut, false),
            (.failed("refused"), false), (.overloaded, false),
        ] as [(ExistenceOutcome, Bool)])
    func outcomes(outcome: ExistenceOutcome, isStored: Bool) throws {
        let service = try Self.service(storage: [outcome])
        let exchange = try service.send(Self.batch())
        let object = try #require(try exchange.response.lfs().objects.first)
        #expect(object.oid == Self.oid && object.size == 12 && object.error == nil)
        #expect((object.actions == nil) == isStored && (object.authenticated == nil) == isStored)
        #expect(exchange.log?.reason == nil)
        let url = try #require(service.storage.urls.first)
        #expect(service.storage.urls.count == 1 && url.contains("/public/acme/app/aa/aa/\(Self.oid)?"))
        #expect(try verification(of: url, method: "HEAD", at: TestClock.startTime) == .valid)
    }

    @Test("The results of stored and other objects keep their order")
    func order() throws {
        let found = ExistenceOutcome.status(200, length: 12)
        let service = try Self.service(storage: [found, .status(404), found, found, .timedOut])
        let response = try service.exchange(Self.batch(5)).lfs()
        #expect(response.objects.map { $0.actions == nil } == [true, false, true, true, false])
    }

    @Test(
        "Nothing is checked without the store's setting, or for a caller who may not read or not write the object",
        arguments: [("public", false, 200, true), ("once", true, 200, true), ("seen", true, 403, false)])
    func unchecked(prefix: String, checks: Bool, code: Int, hasAction: Bool) throws {
        let service = try Self.service(prefix: prefix, checks: checks, storage: [.status(200, length: 12)])
        let response = try service.exchange(Self.batch()).lfs()
        #expect(response.codes == [code] && (response.objects[0].actions?["upload"] != nil) == hasAction)
        #expect(service.storage.urls.isEmpty)
    }

    @Test("A stored object has an event of its own in the audit, and does not count as a URL")
    func records() throws {
        let service = try Self.service(storage: [.status(200, length: 12), .status(404)])
        let audit = try service.send(Self.batch(2)).audit
        #expect(audit.map(\.event) == ["stored", "presign"])
        let stored = try #require(audit.first)
        #expect(stored.outcome == "allowed" && stored.status == 200 && stored.action == "write" && stored.item == 0)
        #expect(stored.key == "public/acme/app/aa/aa/\(Self.oid)" && stored.rule != nil && stored.contentLength == 12)
        #expect(stored.bucket == nil && stored.accessKeyId == nil && stored.expiresIn == nil && stored.reason == nil)
        let metrics = Exposition(try service.exchange("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n").text)
        #expect(metrics.value("presign_urls_total", ["store": "media", "operation": "PutObject"]) == 1)
        #expect(metrics.value("presign_urls_total", ["store": "media", "operation": "GetObject"]) == 0)
        #expect(metrics.value("presign_existence_checks_total", ["outcome": "found"]) == 1)
        #expect(metrics.value("presign_existence_checks_total", ["outcome": "missing"]) == 1)
    }

    @Test("A check counts against the rate limit, as that of a download does")
    func rateLimit() throws {
        let service = try Self.service(
            quotas: "{perCaller: {rate: 4/h, burst: 4}}", storage: [.status(200, length: 12), .status(404)])
        #expect(try service.exchange(Self.batch(3)).lfs().codes == [200, 200, 429])
    }
}
