import Presigning
import Synchronization
import Telemetry

/// The counters of one event loop, usable from any thread. One per loop avoids contention between loops.
package final class MetricShard: Sendable {
    private let state = Mutex(ServiceCounts())

    init() {}

    /// Counts a request with its response.
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

    /// Changes the number of deferred requests: 1 when one is deferred, -1 when it ends.
    func noteWaiting(_ change: Int) {
        state.withLock { $0.waiting += change }
    }

    /// Adds counters for stores, so that metrics show 0 before the first URL; existing counters are kept.
    func addStores(_ names: [String]) {
        state.withLock { counts in
            for name in names where counts.urls[name] == nil { counts.urls[name] = PerLabel(repeating: 0) }
        }
    }

    /// Counts an issued URL.
    func noteURL(_ operation: AWSS3SigningOperation, store: String) {
        state.withLock { $0.urls[store, default: PerLabel(repeating: 0)][OperationLabel(operation)] += 1 }
    }

    /// The counts so far.
    var counts: ServiceCounts { state.withLock { $0 } }
}
