import Logging
import Synchronization
import System
import TLS

/// Says in the log which connections failed for a reason of TLS, one line in ten seconds at most: whoever can connect can
/// cause one.
final class TLSReport: Sendable {
    static let interval = Duration.seconds(10)

    private struct State {
        var next: ContinuousClock.Instant?
        var untold = 0
    }

    private let logger: Logger
    private let state = Mutex(State())

    init(_ logger: Logger) { self.logger = logger }

    /// - Parameter now: for tests.
    func note(_ failure: TLSFailure, from peer: PeerAddress, at now: ContinuousClock.Instant = .now) {
        let untold: Int? = state.withLock { state in
            if let next = state.next, now < next {
                state.untold += 1
                return nil
            }
            state.next = now + Self.interval
            defer { state.untold = 0 }
            return state.untold
        }
        guard let untold else { return }
        logger.notice(
            "a connection failed: \(failure)",
            metadata: ["event": "tls-failure", "peer": "\(peer)", "failuresBefore": "\(untold)"])
    }
}
