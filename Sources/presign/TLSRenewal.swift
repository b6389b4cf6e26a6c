import Dispatch
import HTTPServing
import Logging
import PresignService
import Synchronization
import TransportSecurity

/// Gives a server's connections new settings of TLS, when files have changed, and twice a day for new keys of tickets: by
/// those, whoever gets hold of one reads what was resumed with it (RFC 8446 appendix C.4, RFC 9325 section 4.3).
final class TLSRenewal: Sendable {
    private static let lifeOfTicketKeys = DispatchTimeInterval.seconds(12 * 60 * 60)

    private let source: TLSSource
    private let queue: DispatchQueue
    private let logger: Logger
    private let configuration: Mutex<TLSConfiguration>

    /// - Parameters:
    ///   - source: gets the settings.
    ///   - configuration: of the settings that it has.
    ///   - queue: a serial one, on which all of it happens.
    init(_ source: TLSSource, _ configuration: TLSConfiguration, on queue: DispatchQueue, _ logger: Logger) {
        (self.source, self.queue, self.logger) = (source, queue, logger)
        self.configuration = Mutex(configuration)
        renewLater()
    }

    /// New connections begin with these settings.
    func replace(by settings: ServerTLS, of new: TLSConfiguration) {
        source.replace(by: settings)
        configuration.withLock { $0 = new }
        for warning in Serve.warnings(of: settings) { logger.warning("\(warning)") }
        logger.notice(
            "TLS files loaded", metadata: ["event": "tls-loaded", "certificateEnds": "\(Serve.text(settings.ends))"])
    }

    private func renewLater() {
        queue.asyncAfter(deadline: .now() + Self.lifeOfTicketKeys) { [weak self] in
            guard let self else { return }
            do {
                source.replace(by: try Serve.tlsSettings(configuration.withLock { $0 }))
            } catch {
                logger.error("the keys of TLS tickets were not renewed: \(error)", metadata: ["event": "tls-failure"])
            }
            renewLater()
        }
    }
}
