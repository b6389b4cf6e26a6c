import Synchronization
import System
import Telemetry

/// The outcomes of existence checks and how long the checks took.
final class ExistenceCounters: Sendable {
    struct Counts: Sendable {
        var outcomes = PerLabel<ExistenceLabel, Int>(repeating: 0)
        /// From asking for a check to its outcome.
        var durations = LatencyHistogram()
    }

    private let state = Mutex(Counts())

    /// What was counted so far.
    var counts: Counts { state.withLock { $0 } }

    /// Returns the same check with its outcomes counted.
    func counting(_ check: ExistenceCheck) -> ExistenceCheck {
        ExistenceCheck { url, completion in
            let began = MonotonicTime.now()
            check.head(url) { outcome in
                self.note(outcome, nanoseconds: Int(MonotonicTime.now().nanoseconds - began.nanoseconds))
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
