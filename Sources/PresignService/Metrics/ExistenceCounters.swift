import Synchronization
import System
import Telemetry

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
        ExistenceCheck { url, completion in
            let start = MonotonicTime.now()
            check.head(url) { outcome in
                self.note(outcome, nanoseconds: Int(MonotonicTime.now().nanoseconds - start.nanoseconds))
                completion(outcome)
            }
        }
    }

    private func note(_ outcome: ExistenceOutcome, nanoseconds: Int) {
        state.withLock { counts in
            counts.outcomes[ExistenceLabel(outcome)] += 1
            counts.durations.note(nanoseconds: nanoseconds)
        }
    }
}
