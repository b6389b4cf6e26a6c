package import Presigning

/// One moment as both clocks show it: the wall clock, by which credentials end and which may be set, and the time since some
/// start, which goes on whatever happens to the other.
package struct ClockReading: Sendable, Equatable {
    /// The wall clock.
    package var wall: SigningTime
    /// The monotonic clock.
    package var uptime: Duration

    /// A moment made up, or read from the clocks.
    package init(wall: SigningTime, uptime: Duration) {
        self.wall = wall
        self.uptime = uptime
    }

    /// Seconds gone by since an earlier moment, by the clock that says more of them: a step of the wall clock in either
    /// direction puts nothing off.
    package func seconds(since earlier: ClockReading) -> Double {
        max(Double(earlier.wall.seconds(until: wall)), (uptime - earlier.uptime).seconds)
    }
}

extension Duration {
    /// As a number.
    package var seconds: Double { self / .seconds(1) }
}

/// When credentials are to be asked for again: pure, fed with moments and outcomes.
///
/// Ahead of their end by a quarter of an hour, or when half of what is left above `minRemaining` is over if they live
/// shorter; after failures with growing pauses.
package struct RefreshSchedule: Sendable {
    /// Before their end, in seconds: the advisory time-out of botocore.
    private static let lead: Double = 900
    /// The longest time between two looks at the clocks, while there is an end to come.
    static let tick = Duration.seconds(10)
    private static let longestPause: Double = 60

    private struct Life {
        let began: ClockReading
        /// Seconds from there to the end.
        let length: Double
        let jitter: Double
    }

    private enum Next {
        /// As soon as possible.
        case now
        /// As the life in hand says.
        case ahead
        /// After a failure.
        case retry(uptime: Duration)
        /// Not by itself.
        case never
    }

    private var life: Life?
    private var next = Next.now
    private var failures = 0

    /// Nothing is known yet: it is due.
    package init() {}

    /// Somebody wants it now, as a file has changed.
    package mutating func refreshNow() { next = .now }

    /// Credentials came.
    ///
    /// - Parameters:
    ///   - end: theirs; nil when none is known, and then they are not asked for again.
    ///   - jitter: 0..<1, chosen by chance, so that many processes do not ask at once.
    package mutating func succeeded(until end: SigningTime?, at now: ClockReading, jitter: Double) {
        failures = 0
        hold(until: end, at: now, jitter: jitter)
        next = life == nil ? .never : .ahead
    }

    /// Credentials are in hand that are of no use just now; a failure goes with it.
    mutating func hold(until end: SigningTime?, at now: ClockReading, jitter: Double) {
        life = end.map { Life(began: now, length: Double(now.wall.seconds(until: $0)), jitter: jitter) }
    }

    /// None came, or none of use.
    package mutating func failed(at now: ClockReading, jitter: Double) {
        let pause = min(Self.longestPause, Double(1 << min(failures, 6)))
        failures += 1
        next = .retry(uptime: now.uptime + .seconds(pause * (1 - jitter / 10)))
    }

    /// How long until they are to be asked for: zero or less when that is due, nil when it never is.
    ///
    /// - Parameter minRemaining: seconds before their end from which on they are of no use.
    package func timeToRefresh(at now: ClockReading, minRemaining: Int) -> Duration? {
        switch next {
        case .now: return .zero
        case .never: return nil
        case .retry(let uptime): return uptime - now.uptime
        case .ahead:
            guard let life else { return nil }
            let above = life.length - Double(minRemaining)
            let delay = max(life.length - max(Self.lead, Double(minRemaining)), above / 2, 1)
            return .seconds(delay * (1 - life.jitter / 10) - now.seconds(since: life.began))
        }
    }

    /// How long until the clocks are to be looked at again; nil when there is nothing to wait for.
    package func timeToLook(at now: ClockReading, minRemaining: Int) -> Duration? {
        guard let time = timeToRefresh(at: now, minRemaining: minRemaining) else { return nil }
        return max(.milliseconds(10), life == nil ? time : min(time, Self.tick))
    }

    /// Whether the credentials in hand have ended by the monotonic clock, whatever the other one says.
    package func haveEnded(at now: ClockReading) -> Bool {
        life.map { (now.uptime - $0.began.uptime).seconds >= $0.length } ?? false
    }
}
