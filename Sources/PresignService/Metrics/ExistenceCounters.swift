import Synchronization
import System
import Telemetry

/// How the storage's answers to existence checks have turned out.
final class ExistenceCounters: Sendable {
    /// In the order of their places.
    static let outcomes: [StaticString] = [
        "found", "missing", "denied", "unexpected", "unreachable", "timeout", "overloaded",
    ]

    private let counts: InlineArray<7, Count>
    private let durations = LatencyHistogram()
    /// Held to count: checks end on any thread.
    private let counting = Mutex(())

    init() {
        counts = InlineArray { _ in Count() }
    }

    /// The same check, counted.
    func counting(_ check: ExistenceCheck) -> ExistenceCheck {
        ExistenceCheck { url, completion in
            let began = MonotonicTime.now()
            check.head(url) { outcome in
                self.note(outcome, nanoseconds: Int(MonotonicTime.now().nanoseconds - began.nanoseconds))
                completion(outcome)
            }
        }
    }

    /// How many there were, by outcome.
    var total: [Int] { counts.indices.map { counts[$0].sum } }

    /// How long they took.
    var duration: LatencyTotal {
        var total = LatencyTotal()
        durations.add(to: &total)
        return total
    }

    private func note(_ outcome: ExistenceOutcome, nanoseconds: Int) {
        counting.withLock { _ in
            counts[Self.place(of: outcome)].add()
            durations.note(nanoseconds: nanoseconds)
        }
    }

    private static func place(of outcome: ExistenceOutcome) -> Int {
        switch outcome {
        case .status(200..<300): 0
        case .status(404): 1
        case .status(403): 2
        case .status: 3
        case .failed: 4
        case .timedOut: 5
        case .overloaded: 6
        }
    }
}
