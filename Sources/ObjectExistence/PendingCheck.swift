import HTTPClient
import Synchronization
import System

/// One check that was handed in: what to ask, by when, and whom to tell.
struct PendingCheck: Sendable {
    let url: String
    /// Where libcurl connects to: the storage, or the proxy.
    let peer: FetchURL
    let headers: [(name: String, value: String)]
    let deadline: ContinuousClock.Instant
    let completion: @Sendable (ObjectExistenceOutcome) -> Void
}

/// The checks between those who hand them in and the thread that performs them.
final class CheckQueue: Sendable {
    private struct State {
        var waiting: [PendingCheck] = []
        var inFlight = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let maximumInFlight: Int
    private let capacity: Int

    init(_ configuration: ObjectExistenceConfiguration) {
        maximumInFlight = configuration.maximumInFlight
        capacity = configuration.maximumInFlight + configuration.maximumQueued
    }

    /// Takes a check; an outcome means that it was not taken.
    func add(_ check: PendingCheck) -> ObjectExistenceOutcome? {
        state.withLock { state in
            if state.isClosed { return .failed("the service is stopping") }
            guard state.waiting.count + state.inFlight < capacity else { return .overloaded }
            state.waiting.append(check)
            return nil
        }
    }

    /// A check that may start, with the addresses of its peer.
    typealias ResolvedCheck = (check: PendingCheck, addresses: [PeerAddress])

    /// Takes out the checks that may start now, and those that waited too long. A check waits while the addresses of its
    /// peer are nil.
    func next(
        at now: ContinuousClock.Instant, addresses: (FetchURL.Host) -> [PeerAddress]?
    ) -> (starting: [ResolvedCheck], expired: [PendingCheck]) {
        state.withLock { state in
            var starting: [ResolvedCheck] = []
            var expired: [PendingCheck] = []
            var waiting: [PendingCheck] = []
            for check in state.waiting {
                if check.deadline <= now {
                    expired.append(check)
                } else if state.inFlight < maximumInFlight, let addresses = addresses(check.peer.host) {
                    starting.append((check, addresses))
                    state.inFlight += 1
                } else {
                    waiting.append(check)
                }
            }
            state.waiting = waiting
            return (starting, expired)
        }
    }

    /// Gives a place on the wire back.
    func ended() {
        state.withLock { $0.inFlight -= 1 }
    }

    /// Gives all that wait to the caller, who tells them.
    func takeWaiting() -> [PendingCheck] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// Takes no more; answers what still waited.
    func close() -> [PendingCheck] {
        state.withLock { $0.isClosed = true }
        return takeWaiting()
    }

    /// True when no more checks are wanted.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// The first deadline among those that wait.
    var nextDeadline: ContinuousClock.Instant? { state.withLock { $0.waiting.first?.deadline } }
}
