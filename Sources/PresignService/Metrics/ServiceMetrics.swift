package import HTTPServer
import Synchronization
import System
package import Telemetry

/// What the service counts for as long as its process lives.
///
/// Event loops count in shards of their own, which are added up only when somebody asks; so does the queue of batches. All
/// other threads share a shard and count one at a time: what they count has waited for a storage, or for the metrics.
package final class ServiceMetrics: Sendable {
    /// Nobody lives on for being observed. No closure says so: read in place from a generic type, each would be wrapped
    /// once more and put back, to be called through all that was wrapped around it.
    private struct Observed {
        weak var server: HTTPServer?
    }

    let existence = ExistenceCounters()
    /// Where batches are counted while they are decided, which is one after the other.
    let batches: MetricShard
    private let shards: Mutex<[MetricShard]>
    private let others: Mutex<MetricShard>
    private let server = Mutex(Observed())
    private let diagnostics = Mutex<LogSink?>(nil)
    private let reloadState = Mutex(Reloads(last: WallClock.seconds()))

    /// Nothing is counted yet; the configuration of the start counts as read now.
    package init() {
        let (batches, others) = (MetricShard(), MetricShard())
        shards = Mutex([batches, others])
        self.batches = batches
        self.others = Mutex(others)
    }

    /// Counts from any thread.
    package func count(_ change: (MetricShard) -> Void) { others.withLock { change($0) } }

    /// The shard of one event loop.
    func makeShard() -> MetricShard {
        let shard = MetricShard()
        shards.withLock { $0.append(shard) }
        return shard
    }

    /// What all shards have counted.
    var total: MetricTotal {
        var total = MetricTotal()
        // The others' come before the loops', which count up what those count down: no number of the waiting is negative.
        for shard in shards.withLock({ $0 }) { shard.add(to: &total) }
        return total
    }

    /// Tells of the connections of this server from here on.
    package func observe(_ server: HTTPServer) {
        self.server.withLock { $0.server = server }
    }

    /// The server that is observed.
    var observedServer: HTTPServer? { server.withLock { $0.server } }

    /// Tells of the lines that this log, which is not the service's own, had to drop.
    package func observe(diagnostics: LogSink) { self.diagnostics.withLock { $0 = diagnostics } }

    /// The log that is observed.
    var observedDiagnostics: LogSink? { diagnostics.withLock { $0 } }

    /// Counts a configuration that was read again: taken, or left for its mistakes.
    package func noteReload(succeeded: Bool) {
        reloadState.withLock { state in
            state.hasFailed = !succeeded
            if succeeded {
                state.succeeded += 1
                state.last = WallClock.seconds()
            } else {
                state.failed += 1
            }
        }
    }

    /// What has become of reloads.
    var reloads: Reloads { reloadState.withLock { $0 } }
}

/// What has become of reloads of the configuration.
struct Reloads {
    var succeeded = 0
    var failed = 0
    /// The last one.
    var hasFailed = false
    /// When a configuration was taken last; seconds since 1970.
    var last: Int64
}
