import HTTP1
import System

/// Decides which requests of one loop are answered, and which are refused with 503 because too many wait.
///
/// Deferred requests have a strict limit. Requests that are ready do not wait for anyone but the loop, and a burst of
/// them is best simply answered; only when more than the limit come in turn after turn, work comes faster than it can
/// be done. From then on each turn lets in what a fraction of a millisecond is enough for, so that what is answered is
/// answered fast, until what comes could be done again. It is a value fed with counts and clock readings.
struct LoadGuard {
    /// How long a loop may be behind before it refuses anything: a burst is over by then.
    static let patience = TimeSpan(.milliseconds(10))
    /// Refusing ends when for so long no more came than can be done: several pauses, as many clients come back after each.
    static let memory = TimeSpan(.milliseconds(100))
    /// How long a connection that was refused is not listened to: whoever asks again at once waits for it.
    static let pause = TimeSpan(.milliseconds(20))
    /// Connections that have been paused and are heard again, in one turn.
    static let resumptionsPerTurn = 4
    /// What is let in each turn while refusing is done in about this time; a request waits for two turns at most.
    static let share = TimeSpan(.microseconds(200))
    /// Bounds of what is let in each turn while refusing.
    static let few = 4...64

    /// The most descriptors that one turn needs to learn of; whatever the limit, more are too many.
    static let mostReady = 1024

    /// Requests that may wait. At least 1.
    let limit: Int
    /// Requests that wait for a deferred answer.
    var deferred = 0
    /// The loop takes no more of the ready requests than a few.
    private(set) var isRefusing = false
    /// Refused requests that were not reported yet.
    private(set) var refused = 0
    /// Requests of connections that wait to be accepted, as far as this turn has learned.
    private var waiting = 0
    /// What a request costs.
    private var cost = RequestCost()
    /// Requests that may still be let in during this turn, and all that came in it.
    private var room = Int.max
    private(set) var seen = 0
    /// Descriptors that were ready as the turn began.
    private var ready = 0
    private var turnBegan = MonotonicTime(nanoseconds: 0)
    private var behindSince: MonotonicTime?
    private var lastOverload = MonotonicTime(nanoseconds: 0)
    /// What came since, while refusing.
    private var demand = (requests: 0, since: MonotonicTime(nanoseconds: 0))

    init(limit: Int) { self.limit = max(1, limit) }

    /// More of them at once than this are too many.
    private var bound: Int { min(limit, Self.mostReady) }

    /// A turn begins with so many ready descriptors, while so many connections are not listened to.
    ///
    /// Not everyone who is ready asks for something: thousands of idle connections may end at once. As many are expected
    /// to ask as did in the turn before.
    mutating func beginTurn(ready: Int, paused: Int = 0, at now: MonotonicTime) {
        let asking = Self.share(of: ready, as: seen, of: self.ready)
        let isTooMuch = max(asking, seen) + waiting + paused > bound
        demand.requests += seen
        (self.ready, seen, waiting, turnBegan) = (ready, 0, 0, now)
        if isRefusing {
            if isTooMuch || isDemandTooMuch(at: now) {
                lastOverload = now
            } else if lastOverload + Self.memory <= now {
                isRefusing = false
                behindSince = nil
            }
        } else {
            behindSince = isTooMuch ? behindSince ?? now : nil
            if let behindSince, behindSince + Self.patience <= now { beginRefusing() }
        }
        room = isRefusing ? min(bound, cost.count(in: Self.share, within: Self.few)) : max(limit, patienceLeft)
    }

    /// So many connections wait behind those that the turn has accepted. As many of them ask as of those did: clients may
    /// connect by the thousand and say nothing yet.
    mutating func expect(_ waiting: Int, behind accepted: Int, asking: Int) {
        self.waiting += Self.share(of: waiting, as: asking, of: accepted)
    }

    /// Of `count` as large a part as `part` is of `whole`.
    private static func share(of count: Int, as part: Int, of whole: Int) -> Int {
        part < whole ? count * part / whole : count
    }

    /// Whether what came in the last while, answered or not, is more than could well be done in it; asked each turn. An
    /// eighth of the time is left over, as a loop that is only just able to do it would begin and end refusing in turns.
    private mutating func isDemandTooMuch(at now: MonotonicTime) -> Bool {
        let elapsed = now.nanoseconds - demand.since.nanoseconds
        guard elapsed >= Self.memory.nanoseconds else { return false }
        defer { demand = (0, now) }
        return cost.time(for: demand.requests) > elapsed - elapsed / 8
    }

    /// The requests for which the patience is still enough.
    private var patienceLeft: Int {
        let behind = behindSince.map { turnBegan.nanoseconds - $0.nanoseconds } ?? 0
        return cost.count(in: TimeSpan(nanoseconds: Self.patience.nanoseconds - behind), within: 0...(.max))
    }

    private mutating func beginRefusing() {
        isRefusing = true
        lastOverload = turnBegan
        demand = (0, turnBegan)
    }

    /// Whether one more request would be refused.
    var isFull: Bool { room <= 0 || deferred >= limit }

    /// Whether the next request may be answered; it takes a place of this turn. Otherwise it counts as refused.
    mutating func admits() -> Bool {
        guard !isFull else {
            refuse()
            return false
        }
        seen += 1
        room -= 1
        return true
    }

    /// Counts a refused request. A turn that has no room left is one too long.
    mutating func refuse() {
        seen += 1
        refused += 1
        if room <= 0, !isRefusing { beginRefusing() }
    }

    /// Whether the turn tells what a request costs: a small one does not, unless requests are being refused by it.
    var isTelling: Bool { seen >= (isRefusing ? 1 : RequestCost.enough) }

    /// The turn that tells ends. Of one that has refused some only this is known: the others have not cost more.
    mutating func learn(at now: MonotonicTime) {
        let elapsed = now.nanoseconds - turnBegan.nanoseconds
        if refused == 0 { cost.note(seen, took: elapsed) } else { cost.bound(seen - refused, took: elapsed) }
    }

    /// The refused requests since the last call.
    mutating func takeRefused() -> Int {
        defer { refused = 0 }
        return refused
    }
}

/// What a request costs a loop, as its last turns have shown.
struct RequestCost {
    /// Requests that make a turn worth a look at the clock.
    static let enough = 16

    /// In nanoseconds; a guess until it is known.
    private var each: Int64 = 10_000

    /// Learns from one turn. What took longer may have been held up by others: that is believed slowly.
    mutating func note(_ requests: Int, took nanoseconds: Int64) {
        guard requests > 0 else { return }
        let seen = max(1, nanoseconds / Int64(requests))
        each = max(1, seen < each ? (each + seen) / 2 : each + (seen - each) / 8)
    }

    /// Learns from a turn that has done other things too.
    mutating func bound(_ requests: Int, took nanoseconds: Int64) {
        guard requests > 0 else { return }
        each = max(1, min(each, nanoseconds / Int64(requests)))
    }

    /// How many requests are done in so much time.
    func count(in time: TimeSpan, within bounds: ClosedRange<Int>) -> Int {
        min(max(bounds.lowerBound, Int(time.nanoseconds / each)), bounds.upperBound)
    }

    /// How long so many requests take, in nanoseconds.
    func time(for requests: Int) -> Int64 {
        let (time, overflow) = Int64(requests).multipliedReportingOverflow(by: each)
        return overflow ? .max : time
    }
}
