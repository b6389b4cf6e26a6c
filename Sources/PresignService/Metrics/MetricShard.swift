import Synchronization
import Telemetry

/// The counters of one event loop, usable from any thread. One per loop avoids contention between loops.
package final class MetricShard: Sendable {
    private let state = Mutex(ServiceCounts())

    init() {}

    /// Changes the counts.
    func note<Result: Sendable>(_ change: (inout ServiceCounts) -> Result) -> Result {
        state.withLock { change(&$0) }
    }

    /// The counts so far.
    var counts: ServiceCounts { state.withLock { $0 } }
}
