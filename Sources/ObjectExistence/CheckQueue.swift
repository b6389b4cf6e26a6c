import HTTPClient
import Synchronization
import System

/// The queue between callers of the checker and the thread that performs the checks.
///
/// Callers take turns. A caller takes at most three times as many places, in flight and in all, as stay free, so
/// another caller's check starts at once unless many callers have many checks.
final class CheckQueue: Sendable {
    private struct State {
        /// In the order of the callers' turns, and of each caller's checks.
        var waiting: [PendingCheck] = []
        /// The checks that wait or are in flight.
        var all = Places()
        var inFlight = Places()
        var isClosed = false

        mutating func removeWaiting(where condition: (PendingCheck) -> Bool) -> [PendingCheck] {
            let removed = waiting.filter(condition)
            waiting.removeAll(where: condition)
            for check in removed { all.giveBack(check.caller) }
            return removed
        }
    }

    private let state: Mutex<State>

    init(_ configuration: ExistenceConfiguration) {
        let maximum = configuration.maximumInFlight
        state = Mutex(
            State(all: Places(free: maximum + configuration.maximumQueued), inFlight: Places(free: maximum)))
    }

    /// Adds a check. Returns an outcome if the check is rejected.
    func add(_ check: PendingCheck) -> ExistenceOutcome? {
        state.withLock { state in
            if state.isClosed { return .failed("the service is stopping") }
            guard state.all.mayTake(check.caller) else { return .overloaded }
            state.all.take(check.caller)
            state.waiting.append(check)
            return nil
        }
    }

    /// A check with the addresses of its peer.
    typealias ResolvedCheck = (check: PendingCheck, addresses: [PeerAddress])

    /// Removes and returns the checks that may start now, and those past their deadline.
    ///
    /// - Parameter addresses: returns the addresses of a host; nil while they are being looked up, and the check waits.
    func next(
        at now: ContinuousClock.Instant, addresses: @Sendable (FetchURL.Host) -> [PeerAddress]?
    ) -> (starting: [ResolvedCheck], expired: [PendingCheck]) {
        state.withLock { state in
            let expired = state.removeWaiting { $0.deadline <= now }
            var starting: [ResolvedCheck] = []
            var found: [PeerAddress]?
            while let index = state.waiting.firstIndex(where: { check in
                guard state.inFlight.mayTake(check.caller) else { return false }
                found = addresses(check.peer.host)
                return found != nil
            }) {
                let check = state.waiting.remove(at: index)
                // The other callers have their turns first.
                let others = state.waiting.filter { $0.caller != check.caller }
                state.waiting = others + state.waiting.filter { $0.caller == check.caller }
                state.inFlight.take(check.caller)
                starting.append((check, found ?? []))
            }
            return (starting, expired)
        }
    }

    /// Reports that a check has ended.
    func ended(_ check: PendingCheck) {
        state.withLock { state in
            state.inFlight.giveBack(check.caller)
            state.all.giveBack(check.caller)
        }
    }

    /// Removes and returns all waiting checks. The caller completes them.
    func takeWaiting() -> [PendingCheck] {
        state.withLock { $0.removeWaiting { _ in true } }
    }

    /// Closes the queue: further checks are rejected. Returns the waiting checks, which the caller completes.
    func close() -> [PendingCheck] {
        state.withLock { $0.isClosed = true }
        return takeWaiting()
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// The earliest deadline of the waiting checks.
    var nextDeadline: ContinuousClock.Instant? {
        state.withLock { state in state.waiting.map(\.deadline).min() }
    }
}

/// A number of places that callers share.
private struct Places {
    var free = 0
    private var taken: [LimitKey: Int] = [:]

    init(free: Int = 0) { self.free = free }

    /// Whether a place is free, and the caller has less than three times as many as are free.
    func mayTake(_ caller: LimitKey) -> Bool { taken[caller, default: 0] < 3 * free }

    mutating func take(_ caller: LimitKey) {
        free -= 1
        taken[caller, default: 0] += 1
    }

    mutating func giveBack(_ caller: LimitKey) {
        free += 1
        let count = taken[caller, default: 0] - 1
        taken[caller] = count > 0 ? count : nil
    }
}

/// A check that was submitted.
struct PendingCheck: Sendable {
    let url: String
    /// The caller who asked for it.
    let caller: LimitKey
    /// The server that libcurl connects to: the storage or the proxy.
    let peer: FetchURL
    let deadline: ContinuousClock.Instant
    let completion: @Sendable (ExistenceOutcome) -> Void
}
