import HTTP1
import System

/// Decides which requests of one loop get 503 because the loop cannot serve all of them in time.
///
/// An iteration is late if its requests take longer than `HTTPLimits.queueDelay`. A late iteration still serves all of
/// them, so one slow request costs no other client a response. The iteration after it serves requests for a tenth of
/// that time and sheds the rest; so does each one that follows, until one has nothing to shed.
struct LoadShedder {
    private let limit: Int
    /// The time after which an iteration is late.
    private let delay: TimeSpan
    /// The time for which an iteration serves requests while the loop sheds load.
    private let share: TimeSpan
    /// Requests that wait for a deferred response.
    var deferred = 0
    /// Whether this iteration sheds the requests that `share` is too short for.
    private var isShedding = false
    /// Whether this iteration takes longer than it may.
    private var isLate = false
    /// When the first request of this iteration was served: later than its start, as TLS handshakes may come before it.
    private var start: MonotonicTime?
    /// Requests and connections that got 503 and are not reported yet.
    private(set) var refused = 0

    /// - Parameters:
    ///   - limit: deferred requests at a time, at least 1.
    ///   - delay: how long a loop may serve requests that became ready together.
    init(limit: Int, delay: Duration) {
        self.limit = max(1, limit)
        self.delay = TimeSpan(delay)
        share = TimeSpan(delay / 10)
    }

    /// Starts an iteration.
    mutating func beginIteration() {
        isShedding = isLate
        isLate = false
        start = nil
    }

    /// Returns whether a request that is ready `now` is served.
    mutating func admits(at now: MonotonicTime) -> Bool {
        let start = start ?? now
        self.start = start
        if now >= start + (isShedding ? share : delay) { isLate = true }
        return !(isShedding && isLate) && deferred < limit
    }

    /// Counts a rejection (503) of an overloaded server.
    mutating func refuse() { refused += 1 }

    /// Returns the refused requests and connections since the last call.
    mutating func takeRefused() -> Int {
        defer { refused = 0 }
        return refused
    }
}
