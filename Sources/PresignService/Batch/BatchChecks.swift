import ObjectExistence
import Synchronization
import System

/// The existence checks of a batch, which is complete when the last check has its outcome.
final class BatchChecks: Sendable {
    private struct State {
        var outcomes: [ExistenceOutcome]
        var started = 0
        var finished = 0
        var isStarting = false
    }

    private let response: BatchResponse
    private let caller: LimitKey
    private let limits: BatchCheckLimits
    private let state: Mutex<State>
    private let arrival: MonotonicTime
    private let uptime: @Sendable () -> MonotonicTime

    /// - Parameters:
    ///   - caller: the caller whose turns the checks take.
    ///   - arrival: when the request arrived.
    ///   - uptime: returns the time of the monotonic clock.
    init(
        _ response: BatchResponse, of caller: LimitKey, limits: BatchCheckLimits, since arrival: MonotonicTime,
        uptime: @escaping @Sendable () -> MonotonicTime
    ) {
        (self.response, self.caller) = (response, caller)
        self.limits = limits
        self.arrival = arrival
        self.uptime = uptime
        state = Mutex(State(outcomes: Array(repeating: .timedOut, count: response.checks.count)))
    }

    /// Sends the HEADs, then calls the completion once, on any thread.
    func resolve(with existence: ExistenceCheck, completion: @escaping @Sendable (BatchResponse) -> Void) {
        start(existence) { completion(self.response.resolved($0)) }
    }

    /// Starts as many checks as `limits` allow. A check that completes synchronously calls this again while the loop
    /// runs; the nested call returns at once, so the stack does not grow.
    private func start(_ existence: ExistenceCheck, _ completion: @escaping @Sendable ([ExistenceOutcome]) -> Void) {
        let isFirst = state.withLock { state in
            defer { state.isStarting = true }
            return !state.isStarting
        }
        guard isFirst else { return }
        while let index = nextCheck() {
            let finish: @Sendable (ExistenceOutcome) -> Void = { outcome in
                if let outcomes = self.note(outcome, of: index) { return completion(outcomes) }
                self.start(existence, completion)
            }
            if .nanoseconds(uptime().nanoseconds - arrival.nanoseconds) < limits.startWindow {
                existence.head(response.checks[index].head.url, caller, finish)
            } else {
                finish(.timedOut)
            }
        }
    }

    /// Returns the index of the next check to start; nil if all have started or the limit is reached.
    private func nextCheck() -> Int? {
        state.withLock { state in
            guard state.started < state.outcomes.count, state.started - state.finished < limits.maximumInFlight else {
                state.isStarting = false
                return nil
            }
            state.started += 1
            return state.started - 1
        }
    }

    /// Records an outcome. Returns all outcomes if it was the last one.
    private func note(_ outcome: ExistenceOutcome, of index: Int) -> [ExistenceOutcome]? {
        state.withLock { state in
            state.outcomes[index] = outcome
            state.finished += 1
            return state.finished == state.outcomes.count ? state.outcomes : nil
        }
    }
}
