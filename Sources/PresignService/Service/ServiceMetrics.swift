import Dispatch
package import HTTPServer
import ObjectExistence
import Synchronization
import System
package import Telemetry

/// The metrics of the process, kept across configuration reloads.
///
/// Each event loop counts in its own shard; a report sums the shards.
package final class ServiceMetrics: Sendable {
    private struct Observed {
        /// Weak, so that metrics do not keep the server alive.
        weak var server: HTTPServer?
        var diagnostics: LogSink?
    }

    let existence = ExistenceCounters()
    private let shards = Mutex<[MetricShard]>([])
    private let observed = Mutex(Observed())
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
    package func observe(_ server: HTTPServer) { observed.withLock { $0.server = server } }

    /// The observed server; nil once it is gone.
    var observedServer: HTTPServer? { observed.withLock { $0.server } }

    /// Reports the dropped lines of the diagnostics log from now on.
    package func observe(diagnostics: LogSink) { observed.withLock { $0.diagnostics = diagnostics } }

    /// The observed diagnostics log.
    var observedDiagnostics: LogSink? { observed.withLock { $0.diagnostics } }

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

/// Counts the outcomes and durations of existence checks.
final class ExistenceCounters: Sendable {
    struct Counts: Sendable {
        var outcomes = PerLabel<ExistenceLabel, Int>(repeating: 0)
        /// From requesting a check to its outcome.
        var durations = LatencyHistogram()
    }

    private let state = Mutex(Counts())

    /// The counts so far.
    var counts: Counts { state.withLock { $0 } }

    /// Returns a check that also counts its outcomes.
    func counting(_ check: ExistenceCheck) -> ExistenceCheck {
        ExistenceCheck { url, caller, completion in
            let start = MonotonicTime.now()
            check.head(url, caller) { outcome in
                let duration = Int(MonotonicTime.now().nanoseconds - start.nanoseconds)
                self.state.withLock { counts in
                    counts.outcomes[ExistenceLabel(outcome)] += 1
                    counts.durations.note(nanoseconds: duration)
                }
                completion(outcome)
            }
        }
    }
}

/// Writes the metrics text on its own queue, off the event loops. Concurrent requests share one text, so many scrapers
/// cost little more than one.
final class MetricsReporter: Sendable {
    private let queue = DispatchQueue(label: "presign.metrics")
    private let receivers = Mutex<[@Sendable ([UInt8]) -> Void]>([])

    /// Passes a text written after this call to `receiver`, on another thread.
    func report(
        _ metricsText: @escaping @Sendable () -> [UInt8], to receiver: @escaping @Sendable ([UInt8]) -> Void
    ) {
        let isFirst = receivers.withLock { receivers in
            receivers.append(receiver)
            return receivers.count == 1
        }
        guard isFirst else { return }
        queue.async {
            var waiting: [@Sendable ([UInt8]) -> Void] = []
            // Before writing: a request that arrives later must get a text that includes everything up to then.
            self.receivers.withLock { swap(&waiting, &$0) }
            let text = metricsText()
            for receiver in waiting { receiver(text) }
        }
    }
}
