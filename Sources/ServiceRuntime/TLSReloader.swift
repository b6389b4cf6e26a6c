import Dispatch
import HTTPServer
import Logging
import PresignService
import Synchronization
import System

/// Replaces the TLS settings of a server:
/// - when the files change;
/// - when a certificate revocation list expires, so that certificates of its issuer are rejected, also on open
///   connections and in resumed sessions;
/// - twice a day, to rotate the session ticket keys, because a leaked key decrypts the sessions resumed with it (RFC
///   8446 appendix C.4, RFC 9325 section 4.3).
final class TLSReloader: Sendable {
    /// Lifetime of the session ticket keys, in seconds.
    static let ticketKeyLifetime: Int64 = 12 * 60 * 60
    /// Seconds until a retry after the files could not be loaded.
    static let pause: Int64 = 60

    private struct State {
        var configuration: TLSConfiguration
        var loaded: LoadedTLS
        /// Rescheduled for each renewal.
        var timer: (any DispatchSourceTimer)?
    }

    /// The settings for new connections.
    let source: TLSSource
    private let logger: Logger
    private let state: Mutex<State>

    /// Reads the files that the configuration names.
    init(_ configuration: TLSConfiguration, _ logger: Logger) throws(ProgramFailure) {
        let loaded = try Self.loaded(configuration)
        let report = TLSReport(logger)
        source = TLSSource(loaded.settings) { report.note($0, from: $1) }
        self.logger = logger
        state = Mutex(State(configuration: configuration, loaded: loaded))
    }

    /// Logs warnings about expired files.
    func warn() {
        for warning in state.withLock({ $0.loaded }).warnings(at: WallClock.seconds()) { logger.warning("\(warning)") }
    }

    /// Uses new files for new connections, if they differ from the current ones.
    func apply(_ loaded: LoadedTLS, of configuration: TLSConfiguration) {
        let isNew = state.withLock { state in
            defer { (state.configuration, state.loaded) = (configuration, loaded) }
            let changesClients = state.loaded.acceptance != loaded.acceptance
            guard changesClients || state.loaded.digest != loaded.digest else { return false }
            // Inside the lock, so that the files that were read last win.
            source.replace(by: loaded.settings, changesClients: changesClients)
            return true
        }
        guard isNew else { return }
        renewLater()
        warn()
        logger.notice(
            "TLS files loaded",
            metadata: ["event": "tls-loaded", "certificateEnds": "\(loaded.endText)"])
    }

    /// Starts renewing the settings on this queue, when a list expires and when the ticket keys are due.
    func renew(on queue: DispatchQueue, reading watch: FileWatch) {
        state.withLock { state in
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.setEventHandler { [weak self] in
                guard let self else { return }
                watch.whenQuiet(self.state.withLock { $0.configuration.files }) { self.renew(unlessChanging: $0) }
            }
            timer.activate()
            state.timer = timer
        }
        renewLater()
    }

    private func renewLater(after pause: Int64? = nil) {
        state.withLock { state in
            let (now, end) = (max(0, WallClock.seconds()), state.loaded.settings.revocationListsEnd ?? .max)
            let due = pause ?? (end > now ? min(end - now, Self.ticketKeyLifetime) : Self.ticketKeyLifetime)
            // Wall clock, because lists expire by it even if the clock is set.
            state.timer?.schedule(wallDeadline: .now() + .seconds(Int(due)))
        }
    }

    /// - Parameter path: a file that does not stop changing; nil if all can be read.
    private func renew(unlessChanging path: String?) {
        do {
            if let path { throw ProgramFailure(.configuration, FileChanging(path: path).description) }
            let loaded = try Self.loaded(state.withLock { $0.configuration })
            state.withLock { state in
                let hasEnded = state.loaded.settings.revocationListsEnd.map { $0 <= WallClock.seconds() } ?? false
                let changesClients = hasEnded || state.loaded.acceptance != loaded.acceptance
                state.loaded = loaded
                source.replace(by: loaded.settings, changesClients: changesClients)
            }
            renewLater()
            warn()
        } catch {
            logger.error(
                "TLS settings not renewed, the current ones stay in use: \(error)", metadata: ["event": "tls-failure"])
            renewLater(after: Self.pause)
        }
    }

    /// Reads the TLS files.
    static func loaded(_ configuration: TLSConfiguration) throws(ProgramFailure) -> LoadedTLS {
        try reporting(errorsAs: .configuration) {
            try configuration.loaded(read: { try ReadableFile.contents(of: $0) })
        }
    }
}

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
    func note(_ failure: some Error, from peer: PeerAddress, at now: ContinuousClock.Instant = .now) {
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
