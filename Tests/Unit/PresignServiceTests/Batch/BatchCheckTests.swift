import HTTPServerTestSupport
import ObjectExistence
import PresigningTestSupport
import Requests
import SocketTestSupport
import Synchronization
import System
import Testing

@testable import AccessRules
@testable import Cryptography
@testable import DataFormats
@testable import HTTP1
@testable import PresignService
@testable import PresignServiceTestSupport
@testable import Presigning
@testable import System
@testable import Telemetry

@Suite("Existence checks of a batch")
struct BatchCheckTests {
    private static func item(_ name: String, checked: Bool = true) -> String {
        #"{"path":"public/\#(name)","validateObjectExistence":\#(checked)}"#
    }

    @Test("A check affects only its item, and the results keep the order")
    func outcomes() throws {
        let script: [ExistenceOutcome] = [
            .status(200), .status(404), .timedOut, .overloaded, .status(204), .failed("refused"), .status(403),
        ]
        let service = try TestService(storage: script)
        let items = [
            Self.item("0"), Self.item("1"), Self.item("x", checked: false), Self.item("2"), #"{"path":"elsewhere"}"#,
            Self.item("3"), Self.item("4"), Self.item("5"), Self.item("6"), Self.item("y", checked: false),
        ]
        let response = try service.exchange(batchRequest(items, ["Origin: https://app.example.com"]))
        let batch = try response.batch()
        #expect(batch.statuses == [200, 404, 200, 504, 403, 503, 200, 502, 502, 200])
        #expect(batch.responses.map(\.key) == ["public/0", "public/x", "public/4", "public/y"])
        #expect(response["access-control-allow-origin"] == "https://app.example.com")
        guard case .error(_, retryAfter: 1) = batch.results[5] else {
            Issue.record("no retryAfter")
            return
        }
        for (index, url) in service.storage.urls.enumerated() {
            #expect(url.contains("/public/\(index)?"))
            #expect(try verification(of: url, method: "HEAD", at: TestClock.startTime) == .valid)
        }
        #expect(try LogLine.all(of: service).map(\.reason) == ["6 of 10 items refused"])
    }

    @Test("A thousand checks that complete immediately are all reported")
    func thousand() throws {
        let batch = try TestService().exchange(batchRequest((0..<1000).map { Self.item("\($0)") })).batch()
        #expect(batch.responses.map(\.key) == (0..<1000).map { "public/\($0)" })
    }

    @Test("The number of simultaneous checks is limited, and the response waits for all")
    func bounded() throws {
        let service = try TestService(holdsHeads: true)
        let client = service.connect()
        client.send(batchRequest((0..<100).map { Self.item("\($0)") }))
        for _ in 0..<16 { service.storage.awaitRequest() }
        #expect(service.storage.urls.count == 16)
        service.storage.release()
        #expect(try client.response()?.batch().responses.count == 100)
        #expect(service.storage.urls.count == 100)
    }

    /// Keeps completions until the test calls them.
    private final class Storage: Sendable {
        let held = Mutex<[@Sendable (ExistenceOutcome) -> Void]>([])
        var check: ExistenceCheck {
            ExistenceCheck { _, _, completion in self.held.withLock { $0.append(completion) } }
        }
        func take() -> [@Sendable (ExistenceOutcome) -> Void] {
            held.withLock { held in
                defer { held = [] }
                return held
            }
        }
    }

    private static func batch(_ count: Int, timeout: Duration) throws -> BatchChecks {
        var existence = ExistenceConfiguration()
        existence.maximumInFlight = 8
        existence.timeout = timeout
        let test = try TestService()
        let (service, snapshot) = (test.service, test.service.currentSnapshot().0)
        let endpoint = Endpoint(service, snapshot, service.metrics.makeShard(), logBuffer: nil, auditBuffer: nil)
        let record = RequestRecord(
            requestID: RequestID("r".utf8), method: .post, path: [], peer: nil, started: test.clock.uptime)
        let body = #"{"requests":[\#(Array(repeating: "{}", count: count).joined(separator: ","))]}"#
        var batch = BatchResponse(try PresignBatch(Array(body.utf8)[...], limit: body.utf8.count), endpoint)
        var presigner = Presigner()
        for index in 0..<count {
            var request = PresignRequest()
            (request.path, request.hasPath) = (Array("public/\(index)".utf8), true)
            request.validateObjectExistence = true
            let caller = Caller(scheme: .jwt, identity: "a")
            var record = record
            let allowed = try endpoint.authorize(.item, for: caller, recordingIn: &record) { request }
            let presigned = try endpoint.presign(
                allowed, from: .item, for: caller, at: test.clock.time, recordingIn: &record, using: &presigner)
            batch.add(presigned, &record)
        }
        return BatchChecks(
            batch, of: LimitKey(.unix), limits: BatchCheckLimits(existence, responseTimeout: timeout),
            since: record.started,
            uptime: { record.started })
    }

    /// The recorded responses of a batch.
    private final class Recorder: Sendable {
        private let taken = Mutex<[(body: [UInt8], reason: String?)]>([])
        var all: [(body: [UInt8], reason: String?)] { taken.withLock { $0 } }

        func resolve(_ batch: BatchChecks, with storage: Storage) {
            batch.resolve(with: storage.check) { result in
                let reason = result.reason
                let body = result.finished.body
                self.taken.withLock { $0.append((body, reason)) }
            }
        }
    }

    @Test("Each outcome is assigned to its item, whatever the order and threads of completion")
    func anyOrder() async throws {
        let (storage, recorder) = (Storage(), Recorder())
        // A long limit: the completing threads may have to wait for those of other tests.
        recorder.resolve(try Self.batch(40, timeout: .seconds(3600)), with: storage)
        var asked = 0
        while case let held = storage.take(), !held.isEmpty {
            #expect(held.count <= 2)
            let first = asked
            asked += held.count
            await withTaskGroup { group in
                for (index, completion) in held.enumerated().reversed() {
                    group.addTask { completion(.status((first + index).isMultiple(of: 3) ? 404 : 200)) }
                }
            }
        }
        #expect(asked == 40 && recorder.all.count == 1)
        let body = try JSONValue(parsing: recorder.all[0].body, limits: JSONLimits(size: 1 << 20))
        guard case .array(let results)? = body["results"] else {
            Issue.record("no results")
            return
        }
        #expect(results.map { $0["error"] != nil } == (0..<40).map { $0.isMultiple(of: 3) })
    }

    @Test("After the deadline no more checks start, and the response is still sent")
    func late() throws {
        let (storage, recorder) = (Storage(), Recorder())
        recorder.resolve(try Self.batch(5, timeout: .zero), with: storage)
        #expect(storage.take().isEmpty && recorder.all.count == 1)
        #expect(recorder.all.first?.reason == "5 of 5 items refused")
        let body = try JSONValue(parsing: recorder.all[0].body)
        guard case .array(let results)? = body["results"] else {
            Issue.record("no results")
            return
        }
        let code = Array("storage-timeout".utf8)
        #expect(results.map { $0["error"]?["code"]?.string } == Array(repeating: code, count: 5))
    }
}
