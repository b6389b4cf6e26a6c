import CallerAuthentication
import HTTPClient
import HTTPServerTestSupport
import PresignService
import Presigning
import Refreshing
import Synchronization
import System
import Telemetry
import TestSupport

@testable import AccessRulesTestSupport
@testable import PresignServiceTestSupport
@testable import StorageCredentials

/// The credential sources of the service: the shipped ones, with simulated endpoints, clocks and timers.
final class CredentialSources {
    /// All credentials that ever existed, by access key id.
    private(set) var issued: [String: IssuedCredentials] = [:]
    private let pool: CredentialPool
    /// The endpoints of the pool's sources.
    private let endpoints = EndpointTable()
    private let clock: TestClock
    private let directory: TemporaryDirectory
    private var refreshes: [SimulatedRefresh] = []
    /// When the next step of each refresh is due.
    private var nextSteps: [CredentialSelection: MonotonicTime] = [:]
    private var hasChanged = false

    init(_ clock: TestClock) throws {
        self.clock = clock
        directory = try TemporaryDirectory()
        try directory.write(Array("web.identity.token".utf8), to: "token")
        let variables = [
            "AWS_ACCESS_KEY_ID": "AKID0", "AWS_SECRET_ACCESS_KEY": Self.secret("AKID0"),
            "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/credentials", "AWS_CONTAINER_AUTHORIZATION_TOKEN": "container",
            "AWS_WEB_IDENTITY_TOKEN_FILE": directory.path + "/token", "AWS_ROLE_ARN": "arn:aws:iam::1:role/role",
            "AWS_ENDPOINT_URL_STS": "http://127.0.0.1:1",
        ]
        let endpoints = endpoints
        pool = CredentialPool(
            clock: { ClockReading(wall: clock.time, uptime: .nanoseconds(clock.uptime.nanoseconds)) },
            sources: { selection in
                let endpoint = HeldExchange(clock)
                endpoints.set(endpoint, of: selection)
                return SimulatedSource(shipped: selection.source { variables[$0] }, endpoint: endpoint)
            })
        let fixed = try Credentials(accessKeyID: "AKID0", secretAccessKey: Self.secret("AKID0"))
        issued["AKID0"] = IssuedCredentials(credentials: fixed, source: .environment, end: nil)
    }

    private static func secret(_ id: String) -> String { "secret-of-\(id)" }

    func snapshot(of configuration: ServiceConfiguration) throws -> ServiceSnapshot {
        let files = DecisionCaller.files.merging(ShareSettings.files) { first, _ in first }
        return try ServiceSnapshot(configuration, credentials: pool, issuerKeys: IssuerKeyPool()) {
            Array((files[$0] ?? "").utf8)
        }
    }

    /// The credentials that the next snapshot uses.
    var current: [CredentialSelection: Credentials] {
        Dictionary(
            uniqueKeysWithValues: pool.all.compactMap { current in
                current.value.map { (current.source.id, $0) }
            })
    }

    /// Refreshes the sources of a configuration from now on, as after a reload.
    func follow(_ epoch: Epoch) {
        pool.keep(only: epoch.sources)
        for refresh in refreshes where !epoch.sources.contains(refresh.selection) {
            end(refresh)
            nextSteps[refresh.selection] = nil
        }
        refreshes.removeAll { !epoch.sources.contains($0.selection) }
        for current in pool.all.sorted(by: { "\($0.source.id)" < "\($1.source.id)" }) {
            let known = refreshes.first { $0.selection == current.source.id }
            guard let endpoint = endpoints[current.source.id] else { continue }
            let refresh = known ?? SimulatedRefresh(current, endpoint)
            if known == nil { refreshes.append(refresh) }
            if refresh.endpoint.pending == nil { step(refresh, 0.5) }
        }
    }

    /// Passes changed credentials to the service.
    func renew(_ service: Service) {
        if hasChanged { service.renewSnapshot() }
        hasChanged = false
    }

    /// When a timer fires next: of a step, or of a request to an endpoint.
    var nextEvent: MonotonicTime? {
        refreshes.compactMap { $0.endpoint.pending?.deadline ?? nextSteps[$0.selection] }.min()
    }

    /// Runs the steps that are due, and ends the requests that have timed out.
    func runDue(chance: Double) {
        for refresh in refreshes {
            if let pending = refresh.endpoint.pending {
                if pending.deadline <= clock.uptime { respond(refresh, .failure(.timedOut)) }
            } else if let next = nextSteps[refresh.selection], next <= clock.uptime {
                step(refresh, chance)
            }
        }
    }

    /// Fetches credentials although that is not due.
    func refreshNow(_ random: inout RandomPolicy) {
        let refresh = random.one(of: refreshes)
        if refresh.endpoint.pending == nil { step(refresh, isForced: true, 0.5) }
    }

    /// One of the endpoints responds. Returns what it does; nil if none has to.
    func respond(_ random: inout RandomPolicy) -> String? {
        let waiting = refreshes.filter { $0.endpoint.pending != nil }
        guard !waiting.isEmpty else { return nil }
        let refresh = random.one(of: waiting)
        let behavior = SimulatedEndpoint.Behavior(&random)
        // The endpoint's clock is right, whatever the service's says.
        respond(refresh, behavior, at: random.one(of: [clock.time, clock.trueTime]))
        return "\(refresh.selection) responds: \(behavior)"
    }

    /// All endpoints respond with credentials for an hour to whatever they are asked.
    func work() {
        while let refresh = refreshes.first(where: { $0.endpoint.pending != nil }) {
            respond(refresh, .credentials(3600), at: clock.time)
        }
    }

    /// Ends all requests.
    func end() { for refresh in refreshes { end(refresh) } }

    private func end(_ refresh: SimulatedRefresh) {
        while refresh.endpoint.pending != nil { refresh.endpoint.respond(.failure(.timedOut)) }
    }

    private func respond(_ refresh: SimulatedRefresh, _ behavior: SimulatedEndpoint.Behavior, at time: SigningTime) {
        guard let request = refresh.endpoint.pending?.request else { return }
        let source = refresh.selection
        var credentials: Credentials?
        if SimulatedEndpoint.isForCredentials(request) {
            credentials = self.credentials(behavior, of: source, at: time)
        }
        respond(refresh, SimulatedEndpoint.response(behavior, to: request, credentials, of: source))
    }

    /// The credentials that an endpoint returns; nil if it returns none.
    private func credentials(
        _ behavior: SimulatedEndpoint.Behavior, of source: CredentialSelection, at time: SigningTime
    ) -> Credentials? {
        let credentials: Credentials?
        switch behavior {
        case .same:
            credentials = issued.values.filter { $0.source == source }.max { $0.number < $1.number }?.credentials
        case .credentials(let life):
            let id = "AKID\(issued.count)"
            credentials = try? Credentials(
                accessKeyID: id, secretAccessKey: Self.secret(id), sessionToken: "token-\(id)",
                expiration: time.advanced(bySeconds: life))
        default: return nil
        }
        guard let credentials else { return nil }
        let life = credentials.expiration.map { clock.time.seconds(until: $0) } ?? 0
        let end = clock.uptime + TimeSpan(.seconds(life))
        // The service need not believe an endpoint that repeats credentials after the wall clock was set ahead.
        let known = issued[credentials.accessKeyID]?.end ?? end
        issued[credentials.accessKeyID] = IssuedCredentials(
            credentials: credentials, source: source, end: max(known, end))
        return credentials
    }

    private func respond(_ refresh: SimulatedRefresh, _ outcome: Result<FetchResponse, FetchFailure>) {
        refresh.endpoint.respond(outcome)
        finishStep(of: refresh)
    }

    private func step(_ refresh: SimulatedRefresh, isForced: Bool = false, _ chance: Double) {
        refresh.begin(isForced: isForced, chance)
        finishStep(of: refresh)
    }

    private func finishStep(of refresh: SimulatedRefresh) {
        guard let step = refresh.takeStep() else { return }
        nextSteps[refresh.selection] = step.pause.map { clock.uptime + TimeSpan($0) }
        if step.hasChanged { hasChanged = true }
    }
}

/// The endpoint of each source.
private final class EndpointTable: Sendable {
    private let endpoints = Mutex<[CredentialSelection: HeldExchange]>([:])

    subscript(selection: CredentialSelection) -> HeldExchange? { endpoints.withLock { $0[selection] } }

    func set(_ endpoint: HeldExchange, of selection: CredentialSelection) {
        endpoints.withLock { $0[selection] = endpoint }
    }
}

extension IssuedCredentials {
    /// Its number among all credentials.
    fileprivate var number: Int { Int(credentials.accessKeyID.dropFirst(4)) ?? 0 }
}

extension TestClock {
    /// The time of a clock that is never set.
    fileprivate var trueTime: SigningTime {
        let passed = uptime.nanoseconds - Self.startOfUptime.nanoseconds
        return Self.startTime.advanced(bySeconds: Int(passed / 1_000_000_000))
    }
}
