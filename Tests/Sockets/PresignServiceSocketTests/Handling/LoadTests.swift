import Foundation
import ObjectExistence
import Presigning
import PresigningTestSupport
import SocketTestSupport
import Synchronization
import Telemetry
import Testing

@testable import DataFormats
@testable import PresignService
@testable import PresignServiceTestSupport

@Suite("The service under load", .serialized)
struct LoadTests {
    private static let request = presignRequest(#"{"path":"public/a"}"#)

    @Test("A thousand simultaneous connections are all served")
    func manyConnections() throws {
        var configuration = SampleConfiguration()
        configuration.loops = 2
        let service = try LiveService(configuration.yaml)
        let clients = try (0..<1000).map { _ in try service.connect() }
        for client in clients { #expect(client.send(Self.request)) }
        var urls: Set<String> = []
        for client in clients {
            let response = try #require(try client.response())
            #expect(response.status == 200)
            urls.insert(try response.presigned().url)
        }
        for url in urls { #expect(try verification(of: url, method: "GET") == .valid) }
        #expect(service.logLines().count == 1000)
    }

    @Test("A thousand results with a session token reach a client that reads late")
    func largeResponses() throws {
        var environment = SampleConfiguration.environment
        environment["AWS_SESSION_TOKEN"] = String(repeating: "IQoJb3JpZ2luX2Vj/+AB", count: 60)
        environment["AWS_CREDENTIAL_EXPIRATION"] = "2099-01-01T00:00:00Z"
        var configuration = SampleConfiguration()
        configuration.limits = "{requestLine: 512, headers: 2k, headerCount: 20, body: 4k, batchBody: 64k}"
        let service = try LiveService(configuration.yaml, environment: environment)
        let clients = try (0..<8).map { _ in try service.connect() }
        let batch = batchRequest((0..<1000).map { #"{"path":"public/\#($0)"}"# })
        for client in clients { client.send(batch) }
        // Other clients are served in the meantime.
        try verified(try service.exchange(Self.request), at: .now())
        for client in clients {
            let response = try #require(try client.response())
            #expect(response.body.count > 1_800_000)
            #expect(try response.batch().responses.count == 1000)
        }
    }

    /// The outcomes of a client's requests.
    private final class Tally: Sendable {
        let answered = Atomic(0)
        let broken = Mutex<[String]>([])
        let connected = DispatchGroup()
        let isBusy = DispatchSemaphore(value: 0)
        /// The number of responses after which the service is busy enough.
        let threshold: Int

        init(threshold: Int) { self.threshold = threshold }
    }

    @Test(
        "A stop under load loses no response: accepted requests are completed, others were not started",
        arguments: 1...3)
    func shutdown(round: Int) throws {
        var configuration = SampleConfiguration()
        configuration.loops = 2
        let service = try LiveService(configuration.yaml)
        let (tally, group, port) = (Tally(threshold: 500 * round), DispatchGroup(), service.port)
        for _ in 0..<32 {
            group.enter()
            tally.connected.enter()
            Thread {
                Self.askUntilClosed(port, tally)
                group.leave()
            }.start()
        }
        tally.connected.wait()
        tally.isBusy.wait()
        service.stop()
        group.wait()
        #expect(tally.broken.withLock { $0 } == [])
        let answered = tally.answered.load(ordering: .sequentiallyConsistent)
        #expect(answered >= 500 * round)
        #expect(service.logLines().count == answered)
        #expect(throws: RawClient.Failure.self) { _ = try service.connect() }
    }

    private static func askUntilClosed(_ port: UInt16, _ tally: Tally) {
        do {
            let client = try RawClient(port: port)
            tally.connected.leave()
            while client.send(request), let response = try client.response() {
                guard response.status == 200 else { throw RawClient.Failure(description: "status \(response.status)") }
                let count = tally.answered.add(1, ordering: .sequentiallyConsistent).newValue
                if count == tally.threshold { tally.isBusy.signal() }
                if response["connection"] == "close" { return }
            }
        } catch {
            tally.broken.withLock { $0.append("\(error)") }
        }
    }

    @Test("An existence check in progress at a stop is completed, and later requests are not started")
    func pendingCheck() throws {
        let service = try LiveService(storage: [.status(404)], holdsHeads: true)
        let client = try service.connect()
        let request = presignRequest(#"{"path":"public/a","validateObjectExistence":true}"#)
        client.send(request + request)
        service.storage.awaitRequest()
        service.beginShutdown()
        service.storage.release()
        let response = try #require(try client.response())
        #expect(response.status == 404)
        // Whether the loop sees the stop first is a race. Without a response, the request must not have been started.
        let second = response["connection"] == "close" ? nil : try client.response()
        #expect(service.logLines().count == (second == nil ? 1 : 2))
    }
}
