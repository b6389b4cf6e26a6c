package import HTTPServer
import Synchronization
import System
package import Telemetry

/// The metrics of the process, kept across configuration reloads.
///
/// Each event loop counts in its own shard; a report sums the shards.
package final class ServiceMetrics: Sendable {
    /// Weak, so that metrics do not keep the server alive.
    private struct Observed {
        weak var server: HTTPServer?
    }

    let existence = ExistenceCounters()
    private let shards = Mutex<[MetricShard]>([])
    private let server = Mutex(Observed())
    private let diagnostics = Mutex<LogSink?>(nil)
    private let reloadState = Mutex(Reloads(last: WallClock.seconds()))

    /// All counts are 0; the initial configuration counts as loaded now.
    package init() {}

    /// Returns a new shard for one event loop.
    func makeShard() -> MetricShard {
        let shard = MetricShard()
        shards.withLock { $0.append(shard) }
        return shard
    }

    /// The sum of all shards.
    var counts: ServiceCounts {
        shards.withLock { $0 }.reduce(into: ServiceCounts()) { $0 += $1.counts }
    }

    /// Reports the connections of this server from now on.
    package func observe(_ server: HTTPServer) {
        self.server.withLock { $0.server = server }
    }

    /// The observed server; nil once it is gone.
    var observedServer: HTTPServer? { server.withLock { $0.server } }

    /// Reports the dropped lines of the diagnostics log from now on.
    package func observe(diagnostics: LogSink) { self.diagnostics.withLock { $0 = diagnostics } }

    /// The observed diagnostics log.
    var observedDiagnostics: LogSink? { diagnostics.withLock { $0 } }

    /// Counts a configuration reload.
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

    /// The reloads so far.
    var reloads: Reloads { reloadState.withLock { $0 } }
}

/// The outcomes of configuration reloads.
struct Reloads {
    var succeeded = 0
    var failed = 0
    /// Whether the last reload failed.
    var hasFailed = false
    /// When a configuration was last loaded; seconds since 1970.
    var last: Int64
}
