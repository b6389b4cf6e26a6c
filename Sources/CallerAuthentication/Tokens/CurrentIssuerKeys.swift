import Presigning
import Synchronization
import System

/// The current keys of one remote source, and their refresh. All configuration snapshots share it.
package final class CurrentIssuerKeys: Sendable {
    /// An event for the log.
    package enum Event: Sendable {
        /// The keys are new, or the first after failures. `oldKeyIDs` are those of the previous set.
        case renewed(FetchedKeys, oldKeyIDs: [String])
        /// A fetch failed. `areUsable` is true if the previous keys stay in use.
        case failed(IssuerKeyFailure, areUsable: Bool)
    }

    /// The result of a step.
    package struct Step: Sendable {
        /// Whether the current keys have changed.
        package var hasChanged = false
        /// The time until the next step.
        package var pause = Duration.zero
        /// The event to log.
        package var event: Event?
    }

    /// The state of the refresh, for metrics.
    package struct Status: Sendable {
        /// Seconds since the current keys were fetched; nil without keys.
        package let age: Int?
        /// The number of current keys.
        package let keyCount: Int
        /// The number of failed fetches since the process started.
        package let failures: Int
    }

    private struct State {
        var schedule: IssuerKeySchedule
        var keys: FetchedKeys?
        var failures = 0
        /// The uptime of the last failure event.
        var lastFailureEvent: Duration?
        var wake: @Sendable () -> Void = {}
    }

    /// Minimum time between two failure events, less than the maximum retry delay.
    private static let failureLogInterval = Duration.seconds(50)

    /// Where the keys are fetched.
    package let source: RemoteKeySource
    private let fetch: @Sendable () throws(IssuerKeyFailure) -> (keys: FetchedKeys, freshFor: Int?)
    private let clock: @Sendable () -> ClockReading
    private let state: Mutex<State>
    private let missedKeys = MissedKeys()

    /// - Parameters:
    ///   - clock: Returns the current time.
    ///   - fetch: Fetches the keys; may block.
    init(
        _ source: RemoteKeySource, clock: @escaping @Sendable () -> ClockReading,
        fetch: @escaping @Sendable () throws(IssuerKeyFailure) -> (keys: FetchedKeys, freshFor: Int?)
    ) {
        (self.source, self.clock, self.fetch) = (source, clock, fetch)
        state = Mutex(State(schedule: IssuerKeySchedule(maxStale: source.maxStale)))
    }

    /// The current keys; nil before the first fetch, and when the last set is too old.
    var keys: FetchedKeys? { state.withLock { $0.keys } }

    /// The state of the refresh.
    package var status: Status {
        let now = clock()
        return state.withLock { state in
            Status(
                age: state.keys == nil ? nil : state.schedule.fetched.map { Int(now.seconds(since: $0)) },
                keyCount: state.keys?.keyIDs.count ?? 0, failures: state.failures)
        }
    }

    /// After how many seconds new keys can be expected, at least 1.
    var secondsToKeys: Int {
        let now = clock()
        return state.withLock { $0.schedule.secondsToKeys(at: now) }
    }

    /// Sets what to call when a fetch becomes due early. The closure must call `step` on another thread.
    package func onWake(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    /// Decides about a token with an unknown key id; see `IssuerKeySchedule.missedKey`. Does not block.
    func missedKey(_ id: [UInt8]?, from client: PeerAddress) -> Int? {
        let now = clock()
        let (seconds, wake) = state.withLock { state in
            let mayWait = missedKeys.mayWait(
                for: id, from: client, at: now.uptime, sinceFetch: state.schedule.lastAttempt?.uptime ?? .zero)
            let wasDue = state.schedule.secondsToFetch(at: now)
            let seconds = state.schedule.missedKey(at: now, mayWait: mayWait)
            return (seconds, state.schedule.secondsToFetch(at: now) < wasDue ? state.wake : nil)
        }
        wake?()
        return seconds
    }

    /// Fetches the keys if that is due, and drops a set that is too old. Blocks while it fetches.
    ///
    /// - Parameter chance: Returns a random number in 0..<1.
    package func step(chance: () -> Double) -> Step {
        var step = Step()
        let start = clock()
        let isDue = state.withLock { state in
            guard state.schedule.secondsToFetch(at: start) <= 0 else { return false }
            state.schedule.began(at: start)
            return true
        }
        if isDue {
            do {
                take(try fetch(), jitter: chance(), &step)
            } catch {
                note(error, jitter: chance(), &step)
            }
        }
        let now = clock()
        state.withLock { state in
            if state.keys != nil, state.schedule.isTooOld(at: now) {
                state.keys = nil
                step.hasChanged = true
            }
            step.pause = state.schedule.timeToNextCheck(at: now)
        }
        return step
    }

    private func take(_ fetched: (keys: FetchedKeys, freshFor: Int?), jitter: Double, _ step: inout Step) {
        let now = clock()
        state.withLock { state in
            let old = state.keys
            let isNew = old.map { !fetched.keys.equals($0) } ?? true
            if isNew { state.keys = fetched.keys }
            step.hasChanged = isNew
            if isNew || state.schedule.failures > 0 {
                step.event = .renewed(fetched.keys, oldKeyIDs: old?.keyIDs ?? [])
            }
            state.lastFailureEvent = nil
            state.schedule.succeeded(freshFor: fetched.freshFor, at: now, jitter: jitter)
        }
    }

    private func note(_ failure: IssuerKeyFailure, jitter: Double, _ step: inout Step) {
        let now = clock()
        state.withLock { state in
            state.failures += 1
            state.schedule.failed(at: now, jitter: jitter)
            if let last = state.lastFailureEvent, now.uptime - last < Self.failureLogInterval { return }
            state.lastFailureEvent = now.uptime
            step.event = .failed(failure, areUsable: state.keys != nil && !state.schedule.isTooOld(at: now))
        }
    }
}
