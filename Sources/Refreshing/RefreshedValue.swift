import Dispatch
package import Presigning
import Synchronization

/// Where a value comes from that must be refreshed, such as credentials.
package protocol RefreshSource: Sendable {
    associatedtype ID: Hashable & Sendable
    associatedtype Value: AnyObject & Sendable
    associatedtype Failure: Error & Sendable
    /// A value without lifetime is not refreshed again. One with a shortcoming is used, but its fetch has failed.
    typealias Fetched = (value: Value, lifetime: RefreshSchedule.Lifetime?, shortcoming: Failure?)

    /// Distinguishes the source from others.
    var id: ID { get }
    /// Returns a new value, or the one in use if it is equal. May block.
    func fetch(replacing current: Value?, clock: () -> ClockReading) throws(Failure) -> Fetched
    /// Whether the service can use a value that has not ended.
    func isUsable(_ value: Value, at now: ClockReading) -> Bool
}

/// The current value of a source, and its refresh. All configuration snapshots share it.
package final class RefreshedValue<Source: RefreshSource>: Sendable {
    package typealias Value = Source.Value

    /// An event for the log.
    package enum Event: Sendable {
        /// The value is new, or the first after failures.
        case renewed(Value, replacing: Value?)
        /// A refresh failed. `isUsable` is true if the previous value can still be used.
        case failed(Source.Failure, isUsable: Bool)
    }

    /// The result of a step.
    package struct Step: Sendable {
        /// Whether the current value has changed.
        package var hasChanged = false
        /// The time until the next step; nil if none is needed before `refreshNow`.
        package var pause: Duration?
        /// The event to log.
        package var event: Event?
    }

    /// Where the value comes from.
    package let source: Source
    private let clock: @Sendable () -> ClockReading
    private let state: Mutex<State>

    /// - Parameters:
    ///   - first: The value until the first refresh.
    ///   - clock: Returns the current time.
    package init(_ source: Source, _ first: Value? = nil, clock: @escaping @Sendable () -> ClockReading) {
        (self.source, self.clock) = (source, clock)
        state = Mutex(State(latest: first))
    }

    /// The current value; nil before the first fetch, and when the last value has ended.
    package var value: Value? { state.withLock { $0.value } }
    /// The current value, or the last one if that has ended.
    package var latest: Value? { state.withLock { $0.latest } }
    /// The wall clock at the last success; nil if there was none.
    package var lastSuccess: SigningTime? { state.withLock { $0.lastSuccess } }
    /// The number of failures since the process started.
    package var failures: Int { state.withLock { $0.failures } }
    /// The age of the latest value in seconds, if it has a lifetime.
    package var age: Int? { reschedule { $0.age(at: $1).map { Int($0) } } }
    /// After how many seconds a new value can be expected, at least 1; nil if no refresh is scheduled.
    package var secondsToValue: Int? { reschedule { $0.secondsToValue(at: $1) } }

    /// Refreshes the value now, regardless of the schedule.
    package func refreshNow() { reschedule { schedule, _ in schedule.want(after: 0) } }

    /// Changes the schedule. Does not block.
    package func reschedule<Result: Sendable>(_ change: (inout RefreshSchedule, ClockReading) -> Result) -> Result {
        let now = clock()
        return state.withLock { state in
            let due = state.schedule.secondsToRefresh(at: now) ?? .infinity
            let result = change(&state.schedule, now)
            if state.schedule.secondsToRefresh(at: now) ?? .infinity < due { state.timer?.schedule(deadline: .now()) }
            return result
        }
    }

    /// Refreshes the value if that is due, and drops one that has ended. Blocks while it fetches.
    ///
    /// - Parameter chance: Returns a random number in 0..<1.
    package func step(chance: () -> Double = { .random(in: 0..<1) }) -> Step {
        let start = clock()
        let (isDue, current) = state.withLock { state in
            let isDue = state.schedule.secondsToRefresh(at: start).map { $0 <= 0 } ?? false
            if isDue { state.schedule.began(at: start) }
            return (isDue, state.value)
        }
        var step = Step()
        if isDue {
            let result = Result { () throws(Source.Failure) in try source.fetch(replacing: current, clock: clock) }
            let (now, jitter) = (clock(), chance())
            step = state.withLock { $0.take(result, of: source, at: now, jitter: jitter) }
        }
        let now = clock()
        return state.withLock { state in
            if state.value != nil, state.schedule.hasEnded(at: now) { (state.hasEnded, step.hasChanged) = (true, true) }
            step.pause = state.schedule.timeToNextCheck(at: now)
            if let pause = step.pause { state.timer?.schedule(deadline: .now() + pause / .seconds(1)) }
            return step
        }
    }

    /// Runs the steps on a queue of its own from now on, so that a slow source delays neither others nor an event loop.
    ///
    /// - Parameter report: Receives the result of each step.
    func start(_ report: @escaping @Sendable (Step) -> Void) {
        state.withLock { state in
            guard state.timer == nil else { return }
            let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "presign.refresh"))
            timer.setEventHandler { report(self.step()) }
            timer.schedule(deadline: .now())
            timer.resume()
            state.timer = timer
        }
    }

    /// Stops all later steps.
    func stop() { state.withLock { $0.timer.take()?.cancel() } }

    private struct State {
        /// The current value, or the last one if that has ended.
        var latest: Value?
        var hasEnded = false
        var schedule = RefreshSchedule()
        var lastSuccess: SigningTime?
        var failures = 0
        /// The uptime of the last failure events since a success, by whether the value was usable.
        var failureEvents: [Bool: Duration] = [:]
        /// Fires when the next step is due; nil while the value is not refreshed.
        var timer: (any DispatchSourceTimer)?

        var value: Value? { hasEnded ? nil : latest }

        /// Records the result of a fetch.
        mutating func take(
            _ result: Result<Source.Fetched, Source.Failure>, of source: Source, at now: ClockReading, jitter: Double
        ) -> Step {
            let (old, hadFailed) = (value, schedule.failures > 0)
            switch result {
            case .failure(let failure): return Step(event: fail(failure, of: source, at: now, jitter: jitter))
            case .success((let new, let lifetime, let shortcoming)):
                (latest, hasEnded) = (new, false)
                var step = Step(hasChanged: value !== old)
                if let shortcoming {
                    step.event = fail(shortcoming, of: source, storing: lifetime, at: now, jitter: jitter)
                    return step
                }
                schedule.succeeded(lifetime, at: now, jitter: jitter)
                (lastSuccess, failureEvents) = (now.wall, [:])
                if step.hasChanged || hadFailed { step.event = .renewed(new, replacing: old) }
                return step
            }
        }

        /// Records a failure. Returns nil within 50 seconds after another event of its kind, less than the longest retry
        /// delay.
        mutating func fail(
            _ failure: Source.Failure, of source: Source, storing lifetime: RefreshSchedule.Lifetime? = nil,
            at now: ClockReading, jitter: Double
        ) -> Event? {
            schedule.failed(storing: lifetime, at: now, jitter: jitter)
            failures += 1
            let isUsable = !schedule.hasEnded(at: now) && value.map { source.isUsable($0, at: now) } ?? false
            if let last = failureEvents[isUsable], now.uptime - last < .seconds(50) { return nil }
            failureEvents[isUsable] = now.uptime
            return .failed(failure, isUsable: isUsable)
        }
    }
}
