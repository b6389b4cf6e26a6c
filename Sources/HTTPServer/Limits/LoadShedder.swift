import HTTP1
import System

/// Decides which requests of one loop get 503 because the loop cannot serve all of them in time.
///
/// All requests of an iteration are ready when it begins. When serving them takes longer than `HTTPLimits.queueDelay`, the
/// rest of them is shed, and the iterations that follow serve requests for `share` only, until one has nothing to shed.
struct LoadShedder {
    /// Time for which an iteration serves requests while the loop sheds load: short, so that served requests wait little,
    /// and long beside the time that shedding the rest takes.
    static let share = TimeSpan(.milliseconds(2))

    private let limit: Int
    private let delay: TimeSpan
    /// Requests that wait for a deferred response.
    var deferred = 0
    /// Whether this iteration has shed requests for want of time.
    private var isLate = false
    /// Time for which this iteration serves requests.
    private var budget: TimeSpan
    /// When that time is over; nil until the first request, as other work such as TLS handshakes may come before it.
    private var end: MonotonicTime? = .distantFuture
    /// Requests and connections that got 503, and were not reported yet.
    private(set) var refused = 0

    /// - Parameters:
    ///   - limit: deferred requests at a time, at least 1.
    ///   - delay: how long a ready request may wait for others.
    init(limit: Int, delay: Duration) {
        self.limit = max(1, limit)
        self.delay = TimeSpan(delay)
        budget = self.delay
    }

    /// Starts an iteration.
    mutating func beginIteration() {
        budget = isLate ? Self.share : delay
        isLate = false
        end = nil
    }

    /// Whether a request that is ready is served `now`.
    mutating func admits(at now: MonotonicTime) -> Bool {
        let end = end ?? now + budget
        self.end = end
        if now >= end { isLate = true }
        return !isLate && deferred < limit
    }

    /// Counts a request or a connection that gets 503 for want of capacity.
    mutating func refuse() { refused += 1 }

    /// Returns the refused requests and connections since the last call.
    mutating func takeRefused() -> Int {
        defer { refused = 0 }
        return refused
    }
}
