package import Presigning

/// Keeps the credentials of one selection fresh, step by step. Who steps brings the clocks and the chance, so that tests
/// need neither.
package struct CredentialRefresher: Sendable {
    /// What is worth a line of the log.
    package enum Event: Sendable, Equatable {
        /// New credentials, or the first after failures.
        case renewed(accessKeyID: String, expiration: SigningTime?)
        /// No new ones; `areUsable` tells whether the old ones still sign.
        case failed(CredentialFailure, areUsable: Bool)
    }

    /// What a step comes to.
    package struct Step: Sendable {
        /// Whether other credentials are in the slot now.
        package var hasChanged = false
        /// When to step again; nil: not unless something changes.
        package var pause: Duration?
        /// For the log; of failures at most one in `quiet` of either kind.
        package var event: Event?
    }

    /// One failure is told in this time.
    /// A little less than a minute, by which attempts are apart at most.
    private static let quiet = Duration.seconds(50)

    private let line: CredentialPool.Line
    private var schedule = RefreshSchedule()
    private var hasFailed = false
    /// When it was last told that credentials were not renewed, while those in hand could be used and when not.
    private var lastTold: (usable: Duration?, unusable: Duration?)

    /// - Parameter line: whose credentials.
    package init(_ line: CredentialPool.Line) {
        self.line = line
    }

    /// Asks at the next step, whatever was planned.
    package mutating func refreshNow() { schedule.refreshNow() }

    /// Looks at the clocks, and asks for credentials when that is due. Blocks while it does.
    ///
    /// - Parameters:
    ///   - minRemaining: seconds before their end from which on credentials are of no use.
    ///   - clock: the moment of now.
    ///   - chance: 0..<1.
    package mutating func step(minRemaining: Int, clock: () -> ClockReading, chance: () -> Double) -> Step {
        var step = Step()
        let began = clock()
        if let time = schedule.timeToRefresh(at: began, minRemaining: minRemaining), time <= .zero {
            line.slot.status.noteAttempt(atUptime: began.uptime)
            do {
                let credentials = try fetched()
                try take(credentials, minRemaining, at: clock(), chance(), &step)
            } catch {
                note(error, minRemaining, at: clock(), chance(), &step)
            }
        }
        let now = clock()
        if schedule.haveEnded(at: now), line.slot.hold(nil) { step.hasChanged = true }
        step.pause = schedule.timeToLook(at: now, minRemaining: minRemaining)
        line.slot.status.noteAttempt(
            atUptime: schedule.timeToRefresh(at: now, minRemaining: minRemaining).map { now.uptime + $0 })
        return step
    }

    private func fetched() throws(CredentialFailure) -> Credentials {
        guard let origin = try line.source.origin() else { throw missing("") }
        do {
            return try origin.credentials()
        } catch {
            throw error.isAbsence ? missing(" (\(error))") : error
        }
    }

    private func missing(_ detail: String) -> CredentialFailure {
        CredentialFailure(
            source: "\(line.selection)", reason: "none found; \(line.selection.mend)\(detail)", isAbsence: true)
    }

    /// - Throws: for credentials that are of no use. They are held all the same unless those in hand live longer: with a
    ///   lower `minRemaining` they would do.
    private mutating func take(
        _ credentials: Credentials, _ minRemaining: Int, at now: ClockReading, _ jitter: Double, _ step: inout Step
    ) throws(CredentialFailure) {
        let left = Self.left(of: credentials, at: now)
        guard left > 0 else { throw tooOld(credentials, "is over") }
        guard left > minRemaining else {
            if left >= line.slot.credentials.map({ Self.left(of: $0, at: now) }) ?? 0 {
                step.hasChanged = line.slot.hold(credentials)
                schedule.hold(until: credentials.expiration, at: now, jitter: jitter)
            }
            throw tooOld(credentials, "is nearer than aws.minRemaining")
        }
        step.hasChanged = line.slot.hold(credentials)
        schedule.succeeded(until: credentials.expiration, at: now, jitter: jitter)
        line.slot.status.noteSuccess(at: now.wall)
        if step.hasChanged || hasFailed {
            step.event = .renewed(accessKeyID: credentials.accessKeyID, expiration: credentials.expiration)
        }
        hasFailed = false
    }

    /// Seconds to their end, by the wall clock.
    private static func left(of credentials: Credentials, at now: ClockReading) -> Int64 {
        credentials.expiration.map { now.wall.seconds(until: $0) } ?? .max
    }

    private func tooOld(_ credentials: Credentials, _ what: String) -> CredentialFailure {
        let end = credentials.expiration.map { "\($0)" } ?? ""
        return CredentialFailure(source: "\(line.selection)", reason: "their end, \(end), \(what)")
    }

    private mutating func note(
        _ failure: CredentialFailure, _ minRemaining: Int, at now: ClockReading, _ jitter: Double, _ step: inout Step
    ) {
        line.slot.status.noteFailure()
        schedule.failed(at: now, jitter: jitter)
        hasFailed = true
        let left = line.slot.credentials.map { Self.left(of: $0, at: now) } ?? 0
        let areUsable = left > minRemaining
        if let last = areUsable ? lastTold.usable : lastTold.unusable, now.uptime - last < Self.quiet { return }
        if areUsable { lastTold.usable = now.uptime } else { lastTold.unusable = now.uptime }
        step.event = .failed(failure, areUsable: areUsable)
    }
}
