import Synchronization
import System

/// The existence checks of a batch. The batch is finished when the last of them has its outcome.
final class BatchChecks: Sendable {
    private struct State {
        var outcomes: [ExistenceOutcome]
        var begun = 0
        var ended = 0
        var isBeginning = false
    }

    private let response: BatchResponse
    private let limits: BatchCheckLimits
    private let state: Mutex<State>
    private let start: MonotonicTime

    /// - Parameter start: when the request arrived.
    init(_ response: BatchResponse, limits: BatchCheckLimits, since start: MonotonicTime) {
        self.response = response
        self.limits = limits
        self.start = start
        state = Mutex(State(outcomes: Array(repeating: .timedOut, count: response.checks.count)))
    }

    /// Sends the HEADs, then calls the completion once, on any thread.
    func resolve(with existence: ExistenceCheck, completion: @escaping @Sendable (BatchResponse) -> Void) {
        begin(existence) { completion(self.response.resolved($0)) }
    }

    /// Begins as many checks as there is room for. A check that is answered at once comes back here while the loop
    /// still runs: then it returns, and the loop goes on, so that the stack does not grow.
    private func begin(_ existence: ExistenceCheck, _ completion: @escaping @Sendable ([ExistenceOutcome]) -> Void) {
        let isFirst = state.withLock { state in
            defer { state.isBeginning = true }
            return !state.isBeginning
        }
        guard isFirst else { return }
        while let index = nextCheck() {
            let ended: @Sendable (ExistenceOutcome) -> Void = { outcome in
                if let outcomes = self.note(outcome, of: index) { return completion(outcomes) }
                self.begin(existence, completion)
            }
            if mayBegin {
                existence.head(response.checks[index].head.url, ended)
            } else {
                ended(.timedOut)
            }
        }
    }

    private var mayBegin: Bool {
        .nanoseconds(MonotonicTime.now().nanoseconds - start.nanoseconds) < limits.beginning
    }

    private func nextCheck() -> Int? {
        state.withLock { state in
            guard state.begun < state.outcomes.count, state.begun - state.ended < limits.atOnce else {
                state.isBeginning = false
                return nil
            }
            state.begun += 1
            return state.begun - 1
        }
    }

    /// All outcomes, when this was the last one.
    private func note(_ outcome: ExistenceOutcome, of index: Int) -> [ExistenceOutcome]? {
        state.withLock { state in
            state.outcomes[index] = outcome
            state.ended += 1
            return state.ended == state.outcomes.count ? state.outcomes : nil
        }
    }
}
