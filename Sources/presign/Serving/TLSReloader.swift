import Dispatch
import HTTPServer
import Logging
import PresignService
import Synchronization
import System
import TLS

/// Gives a server's connections new settings of TLS: when files have changed, when a list of revocations has ended, so
/// that whom it was for is not heard on or resumed, and twice a day for new keys of tickets, as whoever gets hold of such a
/// key can read what was resumed with it (RFC 8446 appendix C.4, RFC 9325 section 4.3).
final class TLSReloader: Sendable {
    /// Seconds for which keys of tickets are used.
    static let lifeOfTicketKeys: Int64 = 12 * 60 * 60
    /// Seconds until another try, when the files cannot be used just now.
    static let pause: Int64 = 60

    private struct State {
        var configuration: TLSConfiguration
        var loaded: LoadedTLS
        /// One for all times: one for each would be kept until its own has come.
        var timer: (any DispatchSourceTimer)?
    }

    /// What connections begin with.
    let source: TLSSource
    private let logger: Logger
    private let state: Mutex<State>

    /// Reads the files that the configuration names.
    init(_ configuration: TLSConfiguration, _ logger: Logger) throws(CommandFailure) {
        let loaded = try Self.loaded(configuration)
        let report = TLSReport(logger)
        source = TLSSource(loaded.settings) { report.note($0, from: $1) }
        self.logger = logger
        state = Mutex(State(configuration: configuration, loaded: loaded))
    }

    /// Says in the log what is wrong with the files' time.
    func warn() {
        for warning in Self.warnings(of: state.withLock { $0.loaded.settings }) { logger.warning("\(warning)") }
    }

    /// New connections begin with what these files hold, if that is something else.
    func take(_ loaded: LoadedTLS, of configuration: TLSConfiguration) {
        let isNew = state.withLock { state in
            defer { (state.configuration, state.loaded) = (configuration, loaded) }
            let changesClients = state.loaded.acceptance != loaded.acceptance
            guard changesClients || state.loaded.digest != loaded.digest else { return false }
            // Within the lock, so that the one that was read last is the one that stays.
            source.replace(by: loaded.settings, changesClients: changesClients)
            return true
        }
        guard isNew else { return }
        renewLater()
        warn()
        logger.notice(
            "TLS files loaded",
            metadata: ["event": "tls-loaded", "certificateEnds": "\(Self.text(loaded.settings.ends))"])
    }

    /// Makes new settings of the same files whenever they are due, on this queue.
    func renew(on queue: DispatchQueue) {
        state.withLock { state in
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.setEventHandler { [weak self] in self?.renew() }
            timer.activate()
            state.timer = timer
        }
        renewLater()
    }

    private func renewLater(after pause: Int64? = nil) {
        state.withLock { state in
            let (now, end) = (max(0, WallClock.seconds()), state.loaded.settings.revocationListsEnd ?? .max)
            let due = pause ?? (end > now ? min(end - now, Self.lifeOfTicketKeys) : Self.lifeOfTicketKeys)
            // By the wall clock: a list ends by that, whatever is done to the clock.
            state.timer?.schedule(wallDeadline: .now() + .seconds(Int(due)))
        }
    }

    private func renew() {
        do {
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
            logger.error("the settings of TLS were not renewed: \(error)", metadata: ["event": "tls-failure"])
            renewLater(after: Self.pause)
        }
    }
}
