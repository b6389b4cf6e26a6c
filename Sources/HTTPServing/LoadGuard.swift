/// Decides which requests of one loop are answered, and which are refused with 503 because too many wait.
///
/// Deferred requests have a strict limit. Requests that are ready do not wait for anyone but the loop, and a burst of
/// them is best simply answered; only when more than the limit come in turn after turn, work comes faster than it can
/// be done. From then on few are let in each turn, so that what is answered is answered fast, until no more than the
/// limit have come for a while. It is a value fed with counts and clock readings.
struct LoadGuard {
    /// How long a loop may be behind before it refuses anything: a burst is over by then.
    static let patience = TimeSpan(.milliseconds(10))
    /// Refusing ends when no more than the limit came for so long: several pauses, as many clients come back after each.
    static let memory = TimeSpan(.milliseconds(100))
    /// How long a connection that was refused is not listened to: whoever asks again at once waits for it.
    static let pause = TimeSpan(.milliseconds(20))
    /// Connections that have been paused and are heard again, in one turn.
    static let resumptionsPerTurn = 4
    /// What is let in each turn while refusing, at most: it is done in less than a millisecond.
    static let fewPerTurn = 64

    /// The most descriptors that one turn needs to learn of; whatever the limit, more are too many.
    static let mostReady = 1024

    /// Requests that may wait. At least 1.
    let limit: Int
    /// Requests that wait for a deferred answer.
    var deferred = 0
    /// The loop takes no more of the ready requests.
    private(set) var isRefusing = false
    /// Refused requests that were not reported yet.
    private(set) var refused = 0
    /// Connections that wait to be accepted, as far as this turn has learned.
    var waiting = 0
    /// Requests that may still be let in during this turn, and all that came in it.
    private var room = Int.max
    private var seen = 0
    private var behindSince: MonotonicTime?
    private var lastOverload = MonotonicTime(nanoseconds: 0)

    init(limit: Int) { self.limit = max(1, limit) }

    /// A turn begins with so many ready descriptors, while so many connections are not listened to.
    mutating func beginTurn(ready: Int, paused: Int = 0, at now: MonotonicTime) {
        let isTooMuch = max(ready, seen) + waiting + paused > min(limit, Self.mostReady)
        (seen, waiting) = (0, 0)
        if isRefusing {
            if isTooMuch {
                lastOverload = now
            } else if lastOverload + Self.memory <= now {
                isRefusing = false
                behindSince = nil
            }
        } else if isTooMuch {
            let since = behindSince ?? now
            behindSince = since
            isRefusing = since + Self.patience <= now
            if isRefusing { lastOverload = now }
        } else {
            behindSince = nil
        }
        room = isRefusing ? min(limit, Self.fewPerTurn) : .max
    }

    /// Whether one more request would be refused.
    var isFull: Bool { room <= 0 || deferred >= limit }

    /// Whether the next request may be answered; it takes a place of this turn. Otherwise it counts as refused.
    mutating func admits() -> Bool {
        seen += 1
        guard !isFull else {
            refused += 1
            return false
        }
        room -= 1
        return true
    }

    /// Counts a refused request.
    mutating func refuse() {
        seen += 1
        refused += 1
    }

    /// The refused requests since the last call.
    mutating func takeRefused() -> Int {
        defer { refused = 0 }
        return refused
    }
}
