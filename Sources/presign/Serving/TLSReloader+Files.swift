import PresignService
import Presigning
import System
import TLS

extension TLSReloader {
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
