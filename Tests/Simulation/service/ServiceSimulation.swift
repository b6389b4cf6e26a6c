import CallerAuthentication
import HTTPServer
import HTTPServerTestSupport
import ObjectExistence
import PresignService
import Presigning
import SocketTestSupport
import System
import Telemetry
import TestSupport

@testable import AccessRulesTestSupport
@testable import PresignServiceTestSupport
@testable import StorageCredentials

/// One run of the service: a seed decides what clients, the network, the storage, the credential source and the operator
/// do, and in which order.
final class ServiceSimulation {
    /// What has happened, one line per step.
    private(set) var history: [String] = []
    /// The first property that does not hold.
    private(set) var violation: String?
    /// The number of responses by status.
    var statuses: [Int: Int] = [:]
    private(set) var epochs: [Epoch]
    let clock = TestClock()
    let server: SimulatedServer
    /// All credentials that ever existed, by access key id.
    private(set) var issued: [String: Credentials] = [:]
    private var random: RandomPolicy
    var clients: [SimulatedClient] = []
    private let service: Service
    private let pool: CredentialPool
    let buffers: BufferBudget
    let checks = HeldChecks()
    let audit: LineCollector
    /// The ids of the requests that were allowed.
    var allowed: Set<String> = []
    private var (requestCount, elapsed) = (0, Duration.zero)
    /// The number of checks that were abandoned and whose requests have no response yet.
    var abandoned = 0
    /// Whether some clients use TLS.
    private let usesTLS: Bool

    init(seed: UInt64) throws {
        usesTLS = seed % 4 == 0
        var random = RandomPolicy(generator: SeededGenerator(seed: seed))
        let first = Epoch(&random, credentials: try Self.credentials(0, expiration: nil))
        (self.random, epochs) = (random, [first])
        let variables = [
            "AWS_ACCESS_KEY_ID": "AKID0", "AWS_SECRET_ACCESS_KEY": Self.secret(0),
        ]
        pool = CredentialPool { variables[$0] }
        let configuration = try ServiceConfiguration(parsing: Array(first.yaml.utf8), file: "first.yaml")
        let (clock, checks, pool) = (clock, checks, pool)
        audit = LineCollector { clock.time }
        service = Service(
            try Self.snapshot(of: configuration, pool),
            existence: ExistenceCheck { _, completion in checks.add(completion) }, requestLog: nil,
            audit: try AuditStream.open(configuration.audit, standardOutput: audit.sink, capacity: 1 << 20) { _ in },
            requestIDStart: "simulated", time: { clock.time }, uptime: { clock.uptime })
        let service = service
        buffers = HTTPServer(configuration: configuration.server) { service.makeHandler(loop: $0) }.buffers
        server = try SimulatedServer(
            service.makeHandler(loop: 0), configuration.server, buffers: buffers, clock: clock, seed: seed)
        issued["AKID0"] = first.credentials
        server.afterIteration = { [unowned self] in noteReading() }
    }

    private static func snapshot(
        of configuration: ServiceConfiguration, _ pool: CredentialPool
    ) throws -> ServiceSnapshot {
        try ServiceSnapshot(configuration, credentials: pool, issuerKeys: IssuerKeyPool { .now() }) {
            Array((DecisionCaller.files[$0] ?? "").utf8)
        }
    }

    private static func secret(_ number: Int) -> String { "secret-of-credentials-\(number)" }

    private static func credentials(_ number: Int, expiration: SigningTime?) throws -> Credentials {
        try Credentials(
            accessKeyID: "AKID\(number)", secretAccessKey: secret(number),
            sessionToken: number == 0 ? nil : "token\(number)", expiration: expiration)
    }

    /// Runs a number of steps, then ends everything that is open.
    func run(steps: Int) throws {
        for _ in 0..<steps where violation == nil {
            try step()
            try inspect()
        }
        if violation == nil { try finish() }
    }

    private func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random.generator) }

    /// A number whose order of magnitude is random.
    private func size(upTo most: Int) -> Int { max(1, below(1 << below(17)) % most) }

    func note(_ text: String) { history.append("\(elapsed.components.seconds) s: \(text)") }

    func fail(_ text: String) {
        if violation == nil { violation = text }
        note("VIOLATION: \(text)")
    }

    private func step() throws {
        let choice = below(100)
        guard choice >= 12, !clients.isEmpty else { return try connect() }
        let client = clients[below(clients.count)]
        switch choice {
        case ..<34: client.send(atMost: size(upTo: 4000))
        case 34..<57: server.iterate()
        case 57..<68: client.connection.receive(atMost: size(upTo: 4000))
        case 68..<70: reset(client)
        case 70..<71: client.connection.finishSending()
        case 71..<78: completeCheck()
        case 78..<80: changeDescriptors()
        case 80..<84: try replaceCertificates()
        case 84..<88: try reload()
        case 88..<92: try renew()
        case 92..<98: advance(by: .milliseconds(size(upTo: 60_000)))
        case 98..<99: advance(by: .seconds(below(3600)), isPause: below(2) == 0)
        default: try probe()
        }
    }

    private func connect() throws {
        guard clients.count < 6 else { return }
        let certificate = random.one(of: SimulatedCertificates.Authority.allCases + [nil])
        let isSecure = random.one(of: [true, false]) && usesTLS
        let connection = try isSecure ? server.connect(presenting: certificate) : server.connect()
        let client = SimulatedClient(connection, readsAtOnce: random.one(of: [true, false]))
        clients.append(client)
        for _ in 0..<(1 + below(3)) { addRequest(to: client) }
    }

    private func addRequest(to client: SimulatedClient) {
        requestCount += 1
        let id = "request-\(requestCount)"
        if below(10) == 0 {
            client.add("GET /healthz HTTP/1.1\r\nHost: a\r\nX-Request-Id: \(id)\r\n\r\n", id: id, .health)
            return
        }
        let request = DecisionRequest(&random)
        var members = request.members
        let checksExistence = request.naive.action == "get" && random.one(of: [true, false])
        if checksExistence { members["validateObjectExistence"] = true }
        guard let json = try? DecisionRequest.json(members) else { return fail("a request is not JSON") }
        // Large requests compete for the memory of all connections.
        let padding = String(repeating: " ", count: random.one(of: [0, 0, 0, below(12_000)]))
        let text = presignRequest(json + padding, key: nil, request.caller.headers + ["X-Request-Id: \(id)"])
        client.add(text, id: id, .presign(request, checksExistence: checksExistence))
    }

    /// Notes what the server has read in an iteration.
    private func noteReading() {
        for client in clients {
            client.noteReading(in: epochs.count - 1, isAccepted: server.accepts(client.connection))
            if client.readsAtOnce { client.connection.receive(atMost: .max) }
        }
    }

    /// Descriptors run out, or are free again.
    private func changeDescriptors() {
        server.lacksDescriptors.toggle()
        note(server.lacksDescriptors ? "no descriptor is free" : "descriptors are free")
    }

    private func replaceCertificates() throws {
        guard usesTLS else { return server.iterate() }
        var settings = server.certificates.settings
        switch below(3) {
        case 0: settings.server = 1 - settings.server
        case 1: settings.isRequired = below(2) == 0 && settings.accepted != nil
        default:
            settings.accepted = random.one(of: [nil, [.clients], [.others], [.clients, .others], [.clients, .others]])
            if settings.accepted == nil { settings.isRequired = false }
        }
        note("\(settings)")
        try server.certificates.replace(by: settings)
    }

    private func reset(_ client: SimulatedClient) {
        note("a client with \(client.answered) of \(client.requests.count) responses resets its connection")
        client.connection.close()
        clients.removeAll { $0 === client }
    }

    private func completeCheck() {
        guard checks.count > 0 else { return }
        let completion = checks.take(below(checks.count))
        let outcomes: [ExistenceOutcome?] = [.status(200), .status(200), .status(404), .status(403), .timedOut, nil]
        let outcome = random.one(of: outcomes)
        note("the storage responds to a check: \(outcome.map { "\($0)" } ?? "never")")
        if let outcome { completion(outcome) } else { abandoned += 1 }
    }

    private func reload() throws {
        let epoch = Epoch(&random, credentials: epochs[epochs.count - 1].credentials)
        let configuration = try ServiceConfiguration(parsing: Array(epoch.yaml.utf8), file: "new.yaml")
        note("reload")
        service.replaceSnapshot(by: try Self.snapshot(of: configuration, pool))
        epochs.append(epoch)
    }

    /// The credential source returns other credentials, or has none.
    private func renew() throws {
        var next: Credentials?
        if below(5) > 0 {
            let expiration = clock.time.advanced(bySeconds: size(upTo: 7200))
            let credentials = try Self.credentials(issued.count, expiration: expiration)
            issued[credentials.accessKeyID] = credentials
            next = credentials
        }
        note("credentials: \(next.map { "\($0.accessKeyID) until \($0.expiration?.rfc3339Text ?? "-")" } ?? "none")")
        for entry in pool.entries { _ = entry.slot.replace(with: next) }
        service.renewSnapshot()
        var epoch = epochs[epochs.count - 1]
        epoch.credentials = next
        epochs.append(epoch)
    }

    /// - Parameter isPause: whether the server does not run in this time.
    private func advance(by time: Duration, isPause: Bool = false) {
        // The tokens of the callers are valid for a day.
        guard elapsed + time < .seconds(80_000) else { return }
        elapsed += time
        // Until a descriptor is free, the loop tries again every 100 ms.
        if time > .seconds(10) { server.lacksDescriptors = false }
        if isPause { server.pause(for: time) } else { server.advance(by: time) }
    }

    /// The service responds to a probe whatever else happens.
    func probe() throws {
        guard !server.lacksDescriptors else { return }
        let client = SimulatedClient(try server.connect(), readsAtOnce: true)
        client.add("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", id: "probe", .health)
        client.send(atMost: .max)
        server.settle()
        if client.connection.isWaiting {
            // Descriptors were not free before.
            server.advance(by: .milliseconds(100))
            server.settle()
        }
        if try client.nextResponse()?.status != 200 { fail("/healthz does not respond with 200") }
        client.connection.close()
    }
}
