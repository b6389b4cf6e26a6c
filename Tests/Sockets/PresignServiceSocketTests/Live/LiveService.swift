import Dispatch
import HTTP1
import SocketTestSupport
import Synchronization
import Testing

@testable import DataFormats
@testable import HTTPServer
@testable import PresignService
@testable import Telemetry

/// The whole service on a real loopback socket, with a fixed environment and a scripted storage.
final class LiveService: Sendable {
    let port: UInt16
    private let server: HTTPServer
    private let service: Service
    private let sink: LogSink
    /// The audit stream, if configured.
    let audit: AuditStream?
    /// The diagnostics of the audit stream.
    let auditReports = Collector()
    private let log: Collector
    private let storage: ScriptedStorage

    /// Starts the service with this configuration.
    init(
        _ yaml: String = LiveConfiguration().yaml, environment: [String: String] = LiveConfiguration.environment,
        storage: [ExistenceOutcome] = [], holdsHeads: Bool = false, files: [String: String] = [:],
        auditCapacity: Int = 1 << 20, offersMetrics: Bool = true, queueDelay: Duration = .seconds(60)
    ) throws {
        let configuration = try ServiceConfiguration(parsing: Array(yaml.utf8), file: "live.yaml")
        let (log, storage) = (Collector(), ScriptedStorage(storage, holds: holdsHeads))
        sink = LogSink(label: "live.log", capacity: 1 << 26) {
            log.take($0)
            return 0
        }
        let reports = auditReports
        let audit = try AuditStream.open(configuration.audit, standardOutput: sink, capacity: auditCapacity) {
            reports.take(Array("\($0)\n".utf8))
        }
        self.audit = audit
        service = Service(
            try ServiceSnapshot(
                configuration, environment: { environment[$0] }, read: { Array((files[$0] ?? "").utf8) }),
            existence: ExistenceCheck { url, completion in storage.head(url, completion) }, requestLog: sink,
            audit: audit, offersMetrics: offersMetrics, requestIDStart: "live")
        let handlers = service
        var serving = configuration.server
        // Only tests of overload depend on how fast the machine is.
        serving.limits.queueDelay = queueDelay
        server = HTTPServer(configuration: serving) { handlers.makeHandler(loop: $0) }
        try server.start()
        service.metrics.observe(server)
        guard case .tcp(_, let port)? = server.boundAddresses.first else {
            throw RawClient.Failure(description: "no port")
        }
        self.port = port
        self.log = log
        self.storage = storage
    }

    deinit { stop() }

    /// Replaces the configuration.
    func reload(_ yaml: String) throws {
        let configuration = try ServiceConfiguration(parsing: Array(yaml.utf8), file: "live.yaml")
        service.replaceSnapshot(
            by: try ServiceSnapshot(
                configuration, environment: { LiveConfiguration.environment[$0] }, read: { _ in [] }))
    }

    /// Starts the shutdown, like SIGTERM.
    func beginShutdown() {
        service.beginShutdown()
        server.shutdown()
    }

    /// Marks the service as stopping without closing anything yet.
    func becomeUnready() { service.beginShutdown() }

    /// Stops the service and returns when the last connection is closed.
    func stop() {
        beginShutdown()
        server.wait()
        audit?.close()
    }

    /// Sends one request on a new connection and reads the response.
    func exchange(_ request: String, omitsBody: Bool = false) throws -> RawResponse {
        let client = try RawClient(port: port)
        client.send(request)
        return try #require(try client.response(omitsBody: omitsBody))
    }

    /// The lines logged so far.
    func logLines() -> [String] {
        sink.flush()
        return log.text.withLock { $0 }.split(separator: "\n").map(String.init)
    }

    /// Returns after a request to the storage; with `holdsHeads` its response waits for `releaseHeads`.
    func awaitHead() { storage.requestArrived.wait() }

    func releaseHeads() { storage.release() }

    /// Drops the pending storage requests without a response.
    func dropHeads() { storage.drop() }

    /// Makes later batches wait.
    func holdBatches() { service.batches.queue.suspend() }

    func releaseBatches() { service.batches.queue.resume() }

    /// Returns when all batches so far are decided and have released their memory.
    func awaitBatches() {
        repeat { service.batches.queue.sync {} } while !service.batches.isEmpty
    }

    /// The URLs requested from the storage.
    var headURLs: [String] { storage.asked.withLock { $0 } }
}

final class Collector: Sendable {
    let text = Mutex("")
    func take(_ bytes: [UInt8]) { text.withLock { $0 += String(decoding: bytes, as: UTF8.self) } }
}

/// Responds to HEAD requests from a script, in order; after its end, every object exists.
private final class ScriptedStorage: Sendable {
    let asked = Mutex<[String]>([])
    let requestArrived = DispatchSemaphore(value: 0)
    private let script: [ExistenceOutcome]
    /// The completions that wait for `release`; nil if none has to wait.
    private let held: Mutex<[@Sendable () -> Void]?>

    init(_ script: [ExistenceOutcome], holds: Bool) {
        self.script = script
        held = Mutex(holds ? [] : nil)
    }

    func head(_ url: String, _ completion: @escaping @Sendable (ExistenceOutcome) -> Void) {
        let index = asked.withLock { asked in
            asked.append(url)
            return asked.count - 1
        }
        let outcome = index < script.count ? script[index] : .status(200)
        let waits = held.withLock { held in
            held?.append { completion(outcome) }
            return held != nil
        }
        if !waits { completion(outcome) }
        requestArrived.signal()
    }

    func drop() { held.withLock { $0 = [] } }

    func release() {
        let completions = held.withLock { held in
            defer { held = nil }
            return held ?? []
        }
        for complete in completions { complete() }
    }
}
