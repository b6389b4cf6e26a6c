import Dispatch
import HTTPServerTestSupport
import Requests
import SocketTestSupport
import Synchronization
import Testing

@testable import AccessRules
@testable import HTTP1
@testable import HTTPServer
@testable import PresignService
@testable import PresignServiceTestSupport
@testable import System
@testable import Telemetry

@Suite("A cancelled batch")
struct GivenUpBatchTests {
    private static let item = #"{"path":"public/a"}"#

    @Test("A batch cancelled before its turn is not decided or counted, and has one audit line")
    func beforeItsTurn() throws {
        var configuration = SampleConfiguration()
        configuration.timeouts = "{answer: 1s, drain: 1s}"
        configuration.quotas = "{perCaller: {rate: 1/h, burst: 2}}"
        let service = try TestService(configuration.yaml + "\naudit: {to: stdout}\nexistence: {timeout: 100ms}\n")
        service.holdBatches()
        let request = batchRequest([Self.item, Self.item])
        let client = service.connect()
        client.send(request)
        service.advance(by: .seconds(1))
        #expect(try client.response()?.status == 504)
        service.releaseBatches()
        #expect(try service.exchange(request).batch().statuses == [200, 200])
        let audit = try AuditEntry.all(of: service)
        #expect(audit.map(\.status) == [504, 200, 200] && audit.map(\.item) == [nil, 0, 1])
        #expect(try LogLine.all(of: service).map(\.status) == [504, 200])
    }

    private final class Counter: Sendable {
        let count = Mutex(0)
    }

    /// A body, and the statuses of its audit lines if the batch is cancelled after the first turn.
    struct Body: Sendable {
        let text: String
        var isJSON = true
        let statuses: [Int]
        /// Whether the first turn decides the whole batch.
        let isDecided: Bool
    }

    @Test(
        "A batch cancelled between two turns decides no further item and has each audit line exactly once",
        arguments: [
            Body(text: #"{"requests":[\#(item),{"path":"elsewhere"}]}"#, statuses: [200, 403], isDecided: true),
            Body(text: #"{"requests":[\#(item),{"path":"elsewhere"}]}"#, statuses: [200], isDecided: false),
            Body(text: "{", statuses: [400], isDecided: true),
            Body(text: "a=b", isJSON: false, statuses: [415], isDecided: true),
        ])
    func betweenTwoTurns(body: Body) throws {
        let test = try TestService(SampleConfiguration().yaml + "\naudit: {to: stdout}\n")
        let (service, snapshot) = (test.service, test.service.currentSnapshot().0)
        let endpoint = Endpoint(
            service, snapshot, service.metrics.makeShard(), logBuffer: nil,
            auditBuffer: service.audit?.makeBuffer())
        var record = RequestRecord(
            requestID: RequestID("r".utf8), method: .post, path: [], peer: nil, started: test.clock.uptime,
            route: .batch)
        record.isAudited = true
        let charge = try #require(BufferBudget(limit: 1 << 20).charge(0, for: .response))
        let deferred = DeferredResponse(record, ResponseOptions(), endpoint, charge: charge)
        let responses = Counter()
        var batch = BatchJob(
            body: Array(body.text.utf8), refusal: body.isJSON ? nil : Problem(415, .unsupportedMediaType, "t", "d"),
            decode: { body, limit throws(Problem) in try PresignBatch(body[...], limit: limit) },
            caller: Caller(scheme: .jwt, identity: "a"), record: record, endpoint: endpoint,
            deferred: deferred, completion: { _ in responses.count.withLock { $0 += 1 } })
        let deadline = body.isDecided ? MonotonicTime.distantFuture : MonotonicTime(nanoseconds: 0)
        let isDecided = batch.run(until: deadline)
        #expect(isDecided == body.isDecided)
        if !body.isDecided {
            #expect(deferred.complete(with: Refusal(.responseTimeout))?.status == 504)
            let isOver = batch.run(until: deadline)
            #expect(isOver)
        }
        #expect(responses.count.withLock { $0 } == (body.isDecided ? 1 : 0))
        #expect(!deferred.begin())
        #expect(deferred.complete(with: Refusal(.responseTimeout)) == nil)
        let entries = try AuditEntry.all(of: test)
        #expect(entries.map(\.status) == body.statuses && entries.allSatisfy { $0.requestId == "r" })
    }
}
