import Logging
import PresignService
import System
import Telemetry

/// The parts of a running service, except for its servers.
struct ServiceParts: Sendable {
    let audit: AuditStream?
    let refreshers: Refreshers
    /// The snapshot of the configuration at the start.
    let snapshot: ServiceSnapshot
    let service: Service
    let tls: TLSReloader?
    private let existence: ExistenceCheck

    init(_ configuration: ServiceConfiguration, _ logs: ServiceLogs) throws(ProgramFailure) {
        try configuration.checkOutputs()
        refreshers = Refreshers(environment: { Environment.value($0) }, logs.logger)
        snapshot = try refreshers.snapshot(of: configuration)
        tls = try configuration.tls.map { configuration throws(ProgramFailure) in
            try TLSReloader(configuration, logs.logger)
        }
        let requestIDStart = try reporting(errorsAs: .system) { try Service.randomRequestIDStart() }
        let logger = logs.logger
        audit = try reporting(errorsAs: .configuration, after: "audit.to: ") {
            try AuditStream.open(configuration.audit, standardOutput: logs.output) {
                logger.warning("\($0)", metadata: ["event": "audit"])
            }
        }
        existence = ExistenceCheck(configuration.existence)
        service = Service(
            snapshot, existence: existence, requestLog: logs.requests, audit: audit,
            offersMetrics: configuration.metrics.usesServiceListeners, requestIDStart: requestIDStart,
            refusedOrigins: RefusedOriginLog { origin, text in
                logger.warning("\(text)", metadata: ["event": "origin-refused", "origin": "\(origin)"])
            })
    }

    /// Closes the audit log and the existence check. The event loops must have stopped.
    func shutdown() {
        audit?.close()
        existence.shutdown()
    }
}

extension Refreshers {
    /// Creates the snapshot of a configuration with the current values.
    func snapshot(of configuration: ServiceConfiguration) throws(ProgramFailure) -> ServiceSnapshot {
        try reporting(errorsAs: .configuration) {
            try snapshot(of: configuration, read: { try ReadableFile.contents(of: $0) })
        }
    }
}
