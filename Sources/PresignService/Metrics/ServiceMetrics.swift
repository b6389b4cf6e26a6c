package import HTTPServer
import Synchronization
import System
package import Telemetry

/// What the service counts for as long as its process lives.
///
/// Each event loop and the queue of batches have a shard; all other threads share one. A report adds the shards up.
package final class ServiceMetrics: Sendable {
    /// Weak, so that metrics do not keep the server alive.
    private struct Observed {
        weak var server: HTTPServer?
    }

    let existence = ExistenceCounters()
    /// The shard of the queue that decides batches.
    let batches = MetricShard()
    private let others = MetricShard()
    private let shards: Mutex<[MetricShard]>
    private let server = Mutex(Observed())
    private let diagnostics = Mutex<LogSink?>(nil)
    private let reloadState = Mutex(Reloads(last: WallClock.seconds()))

    /// Nothing is counted yet; the configuration of the start counts as read now.
    package init() { shards = Mutex([batches, others]) }

    /// Counts on a thread that has no shard.
    package func count(_ change: (MetricShard) -> Void) { change(others) }

    /// The shard of one event loop.
    func makeShard() -> MetricShard {
        let shard = MetricShard()
        shards.withLock { $0.append(shard) }
        return shard
    }

    /// What all shards have counted.
    var counts: ServiceCounts {
        // The shared shard counts down the requests in flight that loops count up. It is read first, so that their number
        // is never negative.
        shards.withLock { $0 }.reduce(into: ServiceCounts()) { $0 += $1.counts }
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
