import CallerAuthentication
package import Cryptography
package import Presigning
package import StorageCredentials
import Synchronization
package import System
package import Telemetry
import Text

/// The service: the state that outlives configuration reloads, and the current configuration snapshot.
package final class Service: Sendable {
    package let existence: ExistenceCheck
    package let requestLog: LogSink?
    package let audit: AuditStream?
    /// The counters.
    package let metrics = ServiceMetrics()
    /// Whether the service's own listeners serve `/metrics`.
    package let offersMetrics: Bool
    /// The prefix of this process's request ids.
    package let requestIDStart: String
    /// The wall clock, for signatures and expiration.
    let time: @Sendable () -> SigningTime
    /// The monotonic clock, for durations.
    let uptime: @Sendable () -> MonotonicTime
    /// The callers' use of their rate limits.
    let limits = Limits()
    let batches = BatchQueue()
    let refusedOrigins: RefusedOriginLog
    /// Writes the metrics off the event loops.
    let reporter = MetricsReporter()
    private let snapshot: Mutex<ServiceSnapshot>
    /// The number of the current snapshot. Handlers compare it with their own and take the lock only after a change.
    private let version = Atomic(0)
    private let stopping = Atomic(false)
    /// The end of the time in which `/readyz` waits for issuers' first keys: 10 seconds after the start. A provider's
    /// outage must not stop a roll-out.
    private let endOfWaitForKeys: MonotonicTime

    /// - Parameters:
    ///   - snapshot: the configuration of the start.
    ///   - existence: sends the HEAD of `validateObjectExistence`.
    ///   - requestLog: receives one line per request; nil disables it.
    ///   - audit: receives one line per decision; nil disables it.
    ///   - offersMetrics: whether the service's own listeners serve `/metrics`.
    ///   - requestIDStart: the prefix of request ids, unique to the process.
    ///   - refusedOrigins: reports web origins that may not read responses.
    ///   - time: returns the time of the wall clock.
    ///   - uptime: returns the time of the monotonic clock.
    package init(
        _ snapshot: ServiceSnapshot, existence: ExistenceCheck, requestLog: LogSink?, audit: AuditStream? = nil,
        offersMetrics: Bool = true, requestIDStart: String,
        refusedOrigins: RefusedOriginLog = RefusedOriginLog { _, _ in },
        time: @escaping @Sendable () -> SigningTime = { .now() },
        uptime: @escaping @Sendable () -> MonotonicTime = { .now() }
    ) {
        self.snapshot = Mutex(snapshot)
        self.existence = metrics.existence.counting(existence)
        self.requestLog = requestLog
        self.audit = audit
        self.offersMetrics = offersMetrics
        self.requestIDStart = requestIDStart
        self.refusedOrigins = refusedOrigins
        self.time = time
        self.uptime = uptime
        endOfWaitForKeys = uptime() + TimeSpan(.seconds(10))
    }

    /// Returns a random prefix of request ids, for one process.
    package static func randomRequestIDStart() throws(SecureRandom.Failure) -> String {
        Hexadecimal.encode(try SecureRandom.bytes(count: 8))
    }

    /// Uses another snapshot for every request that starts from now on; requests in flight keep theirs.
    ///
    /// Picks up credentials and issuers' keys that were refreshed while the new snapshot was being assembled.
    package func replaceSnapshot(by new: ServiceSnapshot) {
        snapshot.withLock {
            $0 = new.renewed() ?? new
            _ = version.wrappingAdd(1, ordering: .releasing)
        }
    }

    /// Uses the current credentials and the issuers' current keys for every request that starts from now on.
    package func renewSnapshot() {
        snapshot.withLock {
            guard let new = $0.renewed() else { return }
            $0 = new
            _ = version.wrappingAdd(1, ordering: .releasing)
        }
    }

    /// The refresh of the credentials, by store and role.
    package var credentials: [(store: String, role: CredentialRole, refresh: CurrentCredentials)] {
        currentSnapshot().0.stores.all.flatMap { store in
            CredentialRole.allCases.map { (store.configuration.name, $0, store.credentials[$0].slot) }
        }
    }

    /// Returns the current snapshot and its number.
    func currentSnapshot() -> (ServiceSnapshot, version: Int) {
        snapshot.withLock { ($0, version.load(ordering: .relaxed)) }
    }

    /// Whether the snapshot with this number is still the current one.
    func isCurrent(_ version: Int) -> Bool {
        self.version.load(ordering: .acquiring) == version
    }

    /// Makes `/readyz` respond 503 from now on.
    package func beginShutdown() {
        stopping.store(true, ordering: .relaxed)
    }

    /// Whether shutdown has begun.
    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    /// Why the service is not ready.
    enum Obstacle: String {
        case stopping = "The service is stopping"
        case credentials = "No store has usable credentials; the event credentials-failed in the log has the reason"
        case issuerKeys = "The keys of a token issuer are being fetched"
    }

    /// Whether `/readyz` responds 200.
    func isReady(_ snapshot: ServiceSnapshot, at time: SigningTime) -> Bool { obstacle(to: snapshot, at: time) == nil }

    /// Returns why `/readyz` responds 503; nil if it responds 200.
    func obstacle(to snapshot: ServiceSnapshot, at time: SigningTime) -> Obstacle? {
        if isStopping { return .stopping }
        if !snapshot.stores.haveUsableCredentials(at: time) { return .credentials }
        return snapshot.authenticator.lacksKeys && uptime() < endOfWaitForKeys ? .issuerKeys : nil
    }
}
