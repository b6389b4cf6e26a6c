import PresignService
import Presigning
import System
import TLS

extension TLSReloader {
    /// Reads the TLS files.
    static func loaded(_ configuration: TLSConfiguration) throws(CommandFailure) -> LoadedTLS {
        do {
            return try configuration.loaded(read: { try ReadableFile.contents(of: $0) })
        } catch {
            throw CommandFailure(.configuration, error.description)
        }
    }

    /// Returns warnings about expired certificates and revocation lists.
    static func warnings(of settings: ServerTLS) -> [String] {
        let now = WallClock.seconds()
        var warnings: [String] = []
        if settings.ends <= now {
            warnings.append("server.tls.certificate: expired on \(text(settings.ends)); clients reject it")
        }
        if let end = settings.revocationListsEnd, end <= now {
            warnings.append(
                "server.tls.clients.crl: a revocation list expired on \(text(end)); certificates of its issuer are"
                    + " rejected"
            )
        }
        return warnings
    }

    /// Formats seconds since 1970 for the log.
    static func text(_ seconds: Int64) -> String { SigningTime(secondsSince1970: seconds).rfc3339Text }
}
