import Presigning
import Synchronization
import Telemetry

/// Counters of one event loop. Any thread may count here; each loop has its own so that loops do not wait for each other.
package final class MetricShard: Sendable {
    private let state = Mutex(ServiceCounts())

    init() {}

    /// Counts an answered request.
    func noteRequest(_ route: Route, status: Int, nanoseconds: Int) {
        state.withLock { counts in
            counts.requests[route][status, default: 0] += 1
            counts.durations[route].note(nanoseconds: nanoseconds)
        }
    }

    /// Counts a refused request, or a refused item of a batch.
    func noteRefusal(_ code: ProblemCode) {
        state.withLock { $0.refusals[code] += 1 }
    }

    /// Counts a request, or an item of a batch, that exceeded a limit.
    func noteLimit(_ policy: RateLimitStatus.Policy) {
        state.withLock { $0.limitsHit[policy] += 1 }
    }

    /// Counts requests in flight: 1 when one begins to wait, -1 when it ends.
    func noteWaiting(_ change: Int) {
        state.withLock { $0.waiting += change }
    }

    /// Begins the counters of stores.
    func addStores(_ names: [String]) {
        state.withLock { counts in for name in names { counts.addStore(name) } }
    }

    /// Counts a URL.
    func noteURL(_ operation: AWSS3SigningOperation, store: String) {
        state.withLock { $0[urlsOf: store][OperationLabel(operation)] += 1 }
    }

    /// What was counted so far.
    var counts: ServiceCounts { state.withLock { $0 } }
}
