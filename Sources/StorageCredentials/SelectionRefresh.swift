package import Presigning

/// The refresh of the credentials of one selection: what to do next, and the current state.
///
/// The caller drives it step by step and passes clocks and random numbers, so that tests are deterministic.
package struct SelectionRefresh: Sendable {
    /// An event for the log.
    package enum Event: Sendable, Equatable {
        /// The credentials are new, or the first after failures.
        case renewed(accessKeyID: String, expiration: SigningTime?)
        /// The refresh failed. `areUsable` is true if the previous credentials can still be used.
        case failed(CredentialFailure, areUsable: Bool)
    }

    /// The result of a step.
    package struct Step: Sendable {
        /// Whether the current credentials have changed.
        package var hasChanged = false
        /// The time until the next step, or nil if none is needed before `refreshNow()`.
        package var pause: Duration?
        /// The event to log. See `failureLogInterval` for failures.
        package var event: Event?
    }

    /// Minimum time between two failure events with the same `areUsable`. It is less than the maximum retry delay, so
    /// that every retry after that delay is logged.
    private static let failureLogInterval = Duration.seconds(50)

    private let entry: CredentialPool.Entry
    private var schedule = RefreshSchedule()
    private var hasFailed = false
    /// The uptime of the last failure events, by whether the current credentials were usable.
    private var lastFailureEvent: (usable: Duration?, unusable: Duration?)

    /// - Parameter entry: the selection to refresh.
    package init(_ entry: CredentialPool.Entry) {
        self.entry = entry
    }

    /// Makes the next step refresh the credentials, regardless of the schedule.
    package mutating func refreshNow() { schedule.refreshNow() }

    /// Refreshes the credentials if that is due. Blocks while it fetches them.
    ///
    /// - Parameters:
    ///   - minRemaining: the minimum remaining lifetime of usable credentials in seconds.
    ///   - clock: returns the current time.
    ///   - chance: returns a random number in 0..<1.
    package mutating func step(minRemaining: Int, clock: () -> ClockReading, chance: () -> Double) -> Step {
        var step = Step()
        let start = clock()
        if let time = schedule.timeToRefresh(at: start, minRemaining: minRemaining), time <= .zero {
            entry.slot.update { $0.nextAttempt = start.uptime }
            do {
                let credentials = try fetch()
                try take(credentials, minRemaining, at: clock(), chance(), &step)
            } catch {
                note(error, minRemaining, at: clock(), chance(), &step)
            }
        }
        let now = clock()
        if schedule.haveExpired(at: now), entry.slot.replace(with: nil) { step.hasChanged = true }
        step.pause = schedule.timeToNextCheck(at: now, minRemaining: minRemaining)
        let next = schedule.timeToRefresh(at: now, minRemaining: minRemaining).map { now.uptime + $0 }
        entry.slot.update { $0.nextAttempt = next }
        return step
    }

    private func fetch() throws(CredentialFailure) -> Credentials {
        guard let resolution = try entry.source.resolve() else { throw missing("") }
        do {
            return try resolution.credentials()
        } catch {
            throw error.isAbsence ? missing(" (\(error))") : error
        }
    }

    private func missing(_ detail: String) -> CredentialFailure {
        CredentialFailure(
            source: "\(entry.selection)", reason: "none found; \(entry.selection.hint)\(detail)", isAbsence: true)
    }

    /// Stores fetched credentials.
    ///
    /// - Throws: `CredentialFailure` if they have expired or expire within `minRemaining`. The latter are still stored
    ///   unless the current ones expire later, because a reload can lower `minRemaining`.
    private mutating func take(
        _ credentials: Credentials, _ minRemaining: Int, at now: ClockReading, _ jitter: Double, _ step: inout Step
    ) throws(CredentialFailure) {
        let remaining = Self.remaining(of: credentials, at: now)
        guard remaining > 0 else { throw failure("they expired at \(Self.expirationText(of: credentials))") }
        guard remaining > minRemaining else {
            if remaining >= entry.slot.credentials.map({ Self.remaining(of: $0, at: now) }) ?? 0 {
                step.hasChanged = entry.slot.replace(with: credentials)
                schedule.stored(until: credentials.expiration, at: now, jitter: jitter)
            }
            let expiration = Self.expirationText(of: credentials)
            throw failure("they expire at \(expiration), within aws.minRemaining (\(minRemaining) seconds)")
        }
        step.hasChanged = entry.slot.replace(with: credentials)
        schedule.succeeded(until: credentials.expiration, at: now, jitter: jitter)
        entry.slot.update { $0.lastSuccess = now.wall }
        if step.hasChanged || hasFailed {
            step.event = .renewed(accessKeyID: credentials.accessKeyID, expiration: credentials.expiration)
        }
        hasFailed = false
    }

    /// Returns the remaining lifetime in seconds by the wall clock.
    private static func remaining(of credentials: Credentials, at now: ClockReading) -> Int64 {
        credentials.expiration.map { now.wall.seconds(until: $0) } ?? .max
    }

    private static func expirationText(of credentials: Credentials) -> String {
        credentials.expiration.map { "\($0)" } ?? ""
    }

    private func failure(_ reason: String) -> CredentialFailure {
        CredentialFailure(source: "\(entry.selection)", reason: reason)
    }

    private mutating func note(
        _ failure: CredentialFailure, _ minRemaining: Int, at now: ClockReading, _ jitter: Double, _ step: inout Step
    ) {
        entry.slot.update { $0.failures += 1 }
        schedule.failed(at: now, jitter: jitter)
        hasFailed = true
        let remaining = entry.slot.credentials.map { Self.remaining(of: $0, at: now) } ?? 0
        let areUsable = remaining > minRemaining
        let last = areUsable ? lastFailureEvent.usable : lastFailureEvent.unusable
        if let last, now.uptime - last < Self.failureLogInterval { return }
        if areUsable { lastFailureEvent.usable = now.uptime } else { lastFailureEvent.unusable = now.uptime }
        step.event = .failed(failure, areUsable: areUsable)
    }
}
