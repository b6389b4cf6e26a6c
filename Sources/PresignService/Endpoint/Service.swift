import Dispatch
import Presigning
package import StorageCredentials
import Synchronization
package import Telemetry

/// The service for as long as its process lives: what a change of the configuration leaves as it is, and the snapshot
/// that requests are answered by now.
package final class Service: Sendable {
    package let existence: ExistenceCheck
    package let requestLog: LogSink?
    package let audit: AuditStream?
    /// What is counted.
    package let metrics = ServiceMetrics()
    /// Whether `/metrics` is one of the routes.
    package let offersMetrics: Bool
    /// What this process's request ids begin with.
    package let requestIDStart: String
    /// What callers have used of their limits; a new configuration leaves it as it is.
    let limits = Limits()
    /// Where batches are decided, one after the other: however many come, they take one processor from the loops.
    let batches = DispatchQueue(label: "presign.batches")
    /// Has the metrics written for whoever asks.
    let reporter = MetricsReporter()
    private let snapshot: Mutex<ServiceSnapshot>
    /// Counts the snapshots. A handler compares it with its own before it takes the lock, which so is rarely taken.
    private let version = Atomic(0)
    private let stopping = Atomic(false)

    /// - Parameters:
    ///   - snapshot: what requests are answered by, until it is replaced.
    ///   - existence: sends the HEAD of `validateObjectExistence`.
    ///   - requestLog: takes one line per request; nil logs none.
    ///   - audit: takes one line per decision; nil when it is off.
    ///   - offersMetrics: whether `/metrics` is one of the routes.
    ///   - requestIDStart: unique to the process; what its request ids begin with.
    package init(
        _ snapshot: ServiceSnapshot, existence: ExistenceCheck, requestLog: LogSink?, audit: AuditStream? = nil,
        offersMetrics: Bool = true, requestIDStart: String
    ) {
        self.snapshot = Mutex(snapshot)
        self.existence = metrics.existence.counting(existence)
        self.requestLog = requestLog
        self.audit = audit
        self.offersMetrics = offersMetrics
        self.requestIDStart = requestIDStart
    }

    /// Answers every request that starts from here on by another snapshot; those that have started keep theirs.
    ///
    /// Credentials that came while the new one was made are in it: they were put into their slot before this lock is taken.
    package func replaceSnapshot(by new: ServiceSnapshot) {
        snapshot.withLock {
            $0 = new.withCredentialsOfNow()
            _ = version.wrappingAdd(1, ordering: .releasing)
        }
    }

    /// Signs by the credentials that are in the slots now, in every request that starts from here on.
    package func takeCredentials() {
        snapshot.withLock {
            let new = $0.withCredentialsOfNow()
            guard new !== $0 else { return }
            $0 = new
            _ = version.wrappingAdd(1, ordering: .releasing)
        }
    }

    /// The status of each store's credentials, in each role.
    package var credentialStatuses: [(store: String, role: CredentialRole, status: CredentialStatus)] {
        currentSnapshot().0.stores.all.flatMap { store in
            CredentialRole.allCases.map { (store.configuration.name, $0, store.credentials[$0].slot.status) }
        }
    }

    /// The snapshot of now and its number.
    func currentSnapshot() -> (ServiceSnapshot, version: Int) {
        snapshot.withLock { ($0, version.load(ordering: .relaxed)) }
    }

    /// Whether the snapshot of that number is still the one to answer by.
    func isCurrent(_ version: Int) -> Bool {
        self.version.load(ordering: .acquiring) == version
    }

    /// `/readyz` is false from here on.
    package func beginShutdown() {
        stopping.store(true, ordering: .relaxed)
    }

    /// Whether the service is about to stop.
    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    /// What `/readyz` says.
    func isReady(_ snapshot: ServiceSnapshot, at time: SigningTime) -> Bool {
        !isStopping && snapshot.stores.haveUsableCredentials(at: time)
    }
}
