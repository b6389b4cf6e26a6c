import CallerAuthentication
import Cryptography
import Glibc
import HTTP1
import Logging
import ObjectExistence
import PresignService
import Presigning
import StorageCredentials
import System
import Telemetry
import Text

extension ServiceParts {
    /// Checks that the certificate file of the existence check is readable.
    static func checkFiles(of configuration: ExistenceConfiguration) throws(CommandFailure) {
        guard let file = configuration.caFile else { return }
        do {
            _ = try ReadableFile.contents(of: file)
        } catch {
            throw CommandFailure(.configuration, "existence.caFile: \(error)")
        }
    }

    /// Checks that the audit file can be opened or created, without creating it.
    static func checkFiles(of configuration: AuditConfiguration) throws(CommandFailure) {
        guard case .file(let path) = configuration.destination else { return }
        do throws(SystemError) {
            try OutputDescriptor.checkAppending(to: path)
        } catch {
            let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
            let reason = error.code == ENOENT ? "the folder \(folder) does not exist; create it" : "\(error)"
            throw CommandFailure(.configuration, "audit.to: cannot open \(path): \(reason)")
        }
    }

    /// Creates the client that sends the HEAD requests of validateObjectExistence.
    static func existenceChecker(
        _ configuration: ExistenceConfiguration
    ) throws(CommandFailure) -> ObjectExistenceChecker {
        try checkFiles(of: configuration)
        return ObjectExistenceChecker(configuration)
    }

    /// Creates the snapshot of a configuration with the current credentials.
    static func snapshot(
        of configuration: ServiceConfiguration, _ credentials: CredentialPool, _ issuerKeys: IssuerKeyPool
    ) throws(CommandFailure) -> ServiceSnapshot {
        do {
            return try ServiceSnapshot(
                configuration, credentials: credentials, issuerKeys: issuerKeys,
                read: { try ReadableFile.contents(of: $0) })
        } catch {
            throw CommandFailure(.configuration, "\(error)")
        }
    }

    /// Creates the service.
    static func service(
        _ snapshot: ServiceSnapshot, checker: ObjectExistenceChecker, requestLog: LogSink?, audit: AuditStream?,
        _ metrics: MetricsConfiguration, _ logger: Logger
    ) throws(CommandFailure) -> Service {
        let start: String
        do {
            start = Hexadecimal.encode(try SecureRandom.bytes(count: 8))
        } catch {
            throw CommandFailure(.system, error.description)
        }
        return Service(
            snapshot,
            existence: ExistenceCheck { checker.head(url: $0, of: $1, completion: $2) },
            requestLog: requestLog, audit: audit, offersMetrics: metrics.usesServiceListeners, requestIDStart: start,
            refusedOrigins: RefusedOriginLog { refusal in
                logger.warning(
                    "\(refusal.detail). \(refusal.recoverySuggestion)",
                    metadata: ["event": "origin-refused", "origin": "\(refusal.origin)"])
            })
    }

    /// Opens the audit log of a configuration; returns nil if it is off.
    static func audit(
        _ configuration: AuditConfiguration, standardOutput: LogSink, _ logger: Logger
    ) throws(CommandFailure) -> AuditStream? {
        try checkFiles(of: configuration)
        do {
            return try AuditStream.open(configuration, standardOutput: standardOutput) {
                logger.warning("\($0)", metadata: ["event": "audit"])
            }
        } catch {
            throw CommandFailure(.configuration, "audit.to: \(error)")
        }
    }
}
