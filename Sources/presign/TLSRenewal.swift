import Dispatch
import HTTPServing
import Logging
import PresignService
import Synchronization
import TransportSecurity

/// Gives a server's connections new settings of TLS: when files have changed, and twice a day for new keys of tickets, as
/// whoever gets hold of such a key can read what was resumed with it (RFC 8446 appendix C.4, RFC 9325 section 4.3).
final class TLSRenewal: Sendable {
    static let lifeOfTicketKeys = DispatchTimeInterval.seconds(12 * 60 * 60)

    private struct State {
        var configuration: TLSConfiguration
        var loaded: LoadedTLS
    }

    /// What connections begin with.
    let source: TLSSource
    private let logger: Logger
    private let state: Mutex<State>

    /// - Parameter loaded: what the configuration's files hold.
    init(_ configuration: TLSConfiguration, _ loaded: LoadedTLS, _ logger: Logger) {
        let report = TLSReport(logger)
        source = TLSSource(loaded.settings) { report.note($0, from: $1) }
        self.logger = logger
        state = Mutex(State(configuration: configuration, loaded: loaded))
    }

    /// Says in the log what is wrong with the files' time.
    func warn() {
        for warning in Serve.warnings(of: state.withLock { $0.loaded.settings }) { logger.warning("\(warning)") }
    }

    /// New connections begin with what these files hold, if that is something else.
    func take(_ loaded: LoadedTLS, of configuration: TLSConfiguration) {
        let isNew = state.withLock { state in
            defer { state = State(configuration: configuration, loaded: loaded) }
            guard state.loaded.digest != loaded.digest else { return false }
            // Within the lock, so that the one that was read last is the one that stays.
            source.replace(by: loaded.settings)
            return true
        }
        guard isNew else { return }
        warn()
        logger.notice(
            "TLS files loaded",
            metadata: ["event": "tls-loaded", "certificateEnds": "\(Serve.text(loaded.settings.ends))"])
    }

    /// Makes new keys of tickets from time to time.
    func renewKeys(on queue: DispatchQueue) {
        queue.asyncAfter(deadline: .now() + Self.lifeOfTicketKeys) { [weak self] in
            guard let self else { return }
            do {
                let loaded = try Serve.loaded(state.withLock { $0.configuration })
                state.withLock { state in
                    state.loaded = loaded
                    source.replace(by: loaded.settings)
                }
            } catch {
                logger.error("the keys of TLS tickets were not renewed: \(error)", metadata: ["event": "tls-failure"])
            }
            renewKeys(on: queue)
        }
    }
}
