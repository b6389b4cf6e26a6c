import CallerAuthentication
import HTTPServer
import HTTPServerTestSupport
import ObjectExistence
import PresignService
import Presigning
import SocketTestSupport
import StorageCredentials
import System
import Telemetry
import TestSupport

@testable import AccessRulesTestSupport
@testable import PresignServiceTestSupport

/// One run of the service: a seed decides what clients, the network, the storage, the credential sources, the clocks and
/// the operator do, and in which order.
final class ServiceSimulation {
    /// What has happened, one line per action.
    private(set) var history: [String] = []
    /// The first property that does not hold.
    private(set) var violation: String?
    /// The actions that have run.
    private(set) var actions: [Int] = []
    /// The number of responses by status.
    var statuses: [Int: Int] = [:]
    var timeline: Timeline
    let clock: TestClock
    let server: SimulatedServer
    let sources: CredentialSources
    /// The random numbers of the current action.
    var random: RandomPolicy
    /// The open connections of the clients, by their places.
    var clients = [SimulatedClient?](repeating: nil, count: 6)
    let service: Service
    let buffers: BufferBudget
    let checks = HeldChecks()
    /// The share links that exist.
    var links: [ShareLink] = []
    var audit: AuditLedger
    /// The number of the current action.
    private(set) var action = 0
    /// Whether a check was just abandoned, so that its request gets 500.
    var isAbandoning = false
    /// Whether some clients use TLS.
    let usesTLS: Bool
    private let seed: UInt64

    init(seed: UInt64) throws {
        (self.seed, usesTLS) = (seed, seed % 4 == 0)
        random = Self.random(seed, action: 0)
        let (clock, checks) = (TestClock(), checks)
        let first = Epoch(&random, after: nil, [])
        timeline = Timeline(first, at: clock.time)
        sources = try CredentialSources(clock)
        let configuration = try first.configuration()
        let audit = AuditLedger(clock)
        (self.audit, self.clock) = (audit, clock)
        service = Service(
            try sources.snapshot(of: configuration),
            existence: ExistenceCheck { _, _, completion in checks.add(completion) },
            requestLog: nil, audit: try audit.open(configuration.audit), requestIDStart: "simulated",
            time: { clock.time }, uptime: { clock.uptime })
        let service = service
        buffers = HTTPServer(configuration: configuration.server) { service.makeHandler(loop: $0) }.buffers
        server = try SimulatedServer(
            service.makeHandler(loop: 0), configuration.server, buffers: buffers, clock: clock, seed: seed)
        server.afterIteration = { [unowned self] in noteReading() }
        service.suspendBatches()
        sources.follow(first)
        if random.one(of: [true, true, true, false]) { sources.work() }
        sources.renew(service)
        noteCredentials()
    }

    deinit {
        sources.end()
        service.resumeBatches()
    }

    /// Each action has its own random numbers, so that others can be left out without changing it.
    private static func random(_ seed: UInt64, action: Int) -> RandomPolicy {
        var mixed = SeededGenerator(seed: seed)
        return RandomPolicy(generator: SeededGenerator(seed: mixed.next() ^ UInt64(action) &* 0xA24B_AED4_963E_E407))
    }

    /// Runs a number of actions, then ends everything that is open.
    ///
    /// - Parameter skipped: the numbers of actions to leave out; the first action is 1.
    func run(actions count: Int, without skipped: Set<Int> = []) throws {
        defer { if violation != nil { server.abandon() } }
        for action in 1...count where violation == nil && !skipped.contains(action) {
            (self.action, random) = (action, Self.random(seed, action: action))
            server.restart(SeededGenerator(seed: random.generator.next()))
            actions.append(action)
            try act()
            try inspect()
        }
        (action, random) = (count + 1, Self.random(seed, action: count + 1))
        if violation == nil { try finish() }
    }

    func note(_ text: String) {
        history.append("\(action): \(clock.time.rfc3339Text): \(text)")
    }

    func fail(_ text: String) {
        if violation == nil { violation = text }
        note("VIOLATION: \(text)")
    }

    /// What a request that begins now may see from now on.
    var position: Timeline.Position { timeline.position(at: clock.uptime) }

    /// Begins an epoch if the credentials have changed.
    func noteCredentials() {
        timeline.issued = sources.issued
        let current = sources.current
        guard timeline.current.credentials.mapValues(\.accessKeyID) != current.mapValues(\.accessKeyID) else { return }
        var epoch = timeline.current
        epoch.credentials = current
        note("credentials: \(current.map { "\($0.key) \($0.value.accessKeyID)" }.sorted().joined(separator: ", "))")
        timeline.append(epoch)
    }
}
