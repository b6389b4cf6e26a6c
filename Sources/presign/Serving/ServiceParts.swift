import ObjectExistence
import PresignService
import Presigning
import StorageCredentials
import System
import Telemetry

/// What `presign serve` answers with, apart from its servers.
struct ServiceParts: Sendable {
    let audit: AuditStream?
    /// What the stores' credentials are taken from.
    let supply = CredentialPool { Environment.value($0) }
    /// What the first requests are answered by.
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
            snapshot = try Self.snapshot(of: configuration, supply)
            service = try Self.service(
                snapshot, checker: checker, requestLog: logs.requests, audit: audit, configuration.metrics)
            tls = try configuration.tls.map { configuration throws(CommandFailure) in
                try TLSReloader(configuration, logs.logger)
            }
        } catch {
            audit?.close()
            checker.shutdown()
            throw error
        }
    }

    /// Ends what works beside the loops, which must have ended.
    func shutdown() {
        audit?.close()
        checker.shutdown()
    }
}
