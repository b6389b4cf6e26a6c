import Logging
import Synchronization
import System
import TLS

/// Logs failed TLS connections, at most one line in ten seconds, because any client can cause them.
final class TLSReport: Sendable {
    /// The minimum time between two lines.
    static let interval = Duration.seconds(10)

    private struct State {
        var next: ContinuousClock.Instant?
        var suppressed = 0
    }

    private let logger: Logger
    private let state = Mutex(State())

    init(_ logger: Logger) { self.logger = logger }

    /// Logs a failure, or counts it for the next line.
    ///
    /// - Parameter now: for tests.
    func note(_ failure: TLSFailure, from peer: PeerAddress, at now: ContinuousClock.Instant = .now) {
        let suppressed: Int? = state.withLock { state in
            if let next = state.next, now < next {
                state.suppressed += 1
                return nil
            }
            state.next = now + Self.interval
            defer { state.suppressed = 0 }
            return state.suppressed
        }
        guard let suppressed else { return }
        logger.notice(
            "TLS connection failed: \(failure)",
            metadata: ["event": "tls-failure", "peer": "\(peer)", "failuresBefore": "\(suppressed)"])
    }
}
