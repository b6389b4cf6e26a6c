import HTTPServing
import Logging
import PresignService
import Presigning
import Synchronization
import SystemInterface
import TransportSecurity

extension Serve {
    /// What connections with TLS begin with; nil: there are none.
    static func tls(
        _ configuration: TLSConfiguration?, _ logger: Logger
    ) throws(CommandFailure) -> TLSRenewal? {
        try configuration.map { configuration throws(CommandFailure) in
            TLSRenewal(configuration, try loaded(configuration), logger)
        }
    }

    /// What the files of TLS hold now.
    static func loaded(_ configuration: TLSConfiguration) throws(CommandFailure) -> LoadedTLS {
        do {
            return try configuration.loaded(read: { try ReadableFile.contents(of: $0) })
        } catch {
            throw CommandFailure(.configuration, error.description)
        }
    }

    /// What is no mistake of the files, but of their time.
    static func warnings(of settings: ServerTLS) -> [String] {
        let now = WallClock.seconds()
        var warnings: [String] = []
        if settings.ends <= now {
            warnings.append("server.tls.certificate: it ended on \(text(settings.ends)); clients refuse it")
        }
        if let end = settings.revocationListsEnd, end <= now {
            warnings.append(
                "server.tls.clients.crl: a list ended on \(text(end)); certificates that it is for are refused")
        }
        return warnings
    }

    /// A time in seconds since 1970 as the log writes it.
    static func text(_ seconds: Int64) -> String { SigningTime(secondsSince1970: seconds).rfc3339Text }
}

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
