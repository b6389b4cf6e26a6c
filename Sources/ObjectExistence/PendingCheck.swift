import HTTPClient
import Synchronization
import System

/// A check that was submitted.
struct PendingCheck: Sendable {
    let url: String
    /// The server that libcurl connects to: the storage or the proxy.
    let peer: FetchURL
    let deadline: ContinuousClock.Instant
    let completion: @Sendable (ExistenceOutcome) -> Void
}

/// The queue between callers of the checker and the thread that performs the checks.
final class CheckQueue: Sendable {
    private struct State {
        var waiting: [PendingCheck] = []
        var inFlight = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let maximumInFlight: Int
    private let capacity: Int

    init(_ configuration: ExistenceConfiguration) {
        maximumInFlight = configuration.maximumInFlight
        capacity = configuration.maximumInFlight + configuration.maximumQueued
    }

    /// Adds a check. Returns an outcome if the check is rejected.
    func add(_ check: PendingCheck) -> ExistenceOutcome? {
        state.withLock { state in
            if state.isClosed { return .failed("the service is stopping") }
            guard state.waiting.count + state.inFlight < capacity else { return .overloaded }
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

    /// Reports that a check is no longer in flight.
    func ended() {
        state.withLock { $0.inFlight -= 1 }
    }

    /// Removes and returns all waiting checks. The caller completes them.
    func takeWaiting() -> [PendingCheck] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// Closes the queue: further checks are rejected. Returns the waiting checks, which the caller completes.
    func close() -> [PendingCheck] {
        state.withLock { $0.isClosed = true }
        return takeWaiting()
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// The earliest deadline of the waiting checks.
    var nextDeadline: ContinuousClock.Instant? { state.withLock { $0.waiting.first?.deadline } }
}
