import CallerAuthentication
import ObjectExistence
import PresignService
import Presigning
import StorageCredentials
import System
import Telemetry

/// The parts of `presign serve`, except for its servers.
struct ServiceParts: Sendable {
    let audit: AuditStream?
    /// The credentials of all stores.
    let credentialPool = CredentialPool(sources: { $0.source(environment: Environment.value) })
    /// The fetched keys of all token issuers.
    let issuerKeyPool = IssuerKeyPool()
    /// The snapshot of the configuration at the start.
    let snapshot: ServiceSnapshot
    let service: Service
    let tls: TLSReloader?
    private let checker: ObjectExistenceChecker

    init(_ configuration: ServiceConfiguration, _ logs: ServiceLogs) throws(CommandFailure) {
        checker = try Self.existenceChecker(configuration.existence)
        let audit: AuditStream?
        do {
            audit = try Self.audit(configuration.audit, standardOutput: logs.output, logs.logger)
        } catch {
            checker.shutdown()
            throw error
        }
        self.audit = audit
        do {
            snapshot = try Self.snapshot(of: configuration, credentialPool, issuerKeyPool)
            service = try Self.service(
                snapshot, checker: checker, requestLog: logs.requests, audit: audit, configuration.metrics,
                logs.logger)
            tls = try configuration.tls.map { configuration throws(CommandFailure) in
                try TLSReloader(configuration, logs.logger)
            }
        } catch {
            audit?.close()
            checker.shutdown()
            throw error
        }
    }

    /// Closes the audit log and the existence check. The event loops must have stopped.
    func shutdown() {
        audit?.close()
        checker.shutdown()
    }
}
