package import CallerAuthentication
import HTTP1
import HTTPServer
import HTTPServerTestSupport
package import PresignService
import Presigning
import StorageCredentials
import System
import Telemetry

/// The service of a configuration, assembled as by `presign serve`, with a scripted storage and collected logs.
final class ServiceAssembly: Sendable {
    let configuration: ServiceConfiguration
    let service: Service
    let storage: ScriptedStorage
    let audit: AuditStream?
    /// The diagnostics of the audit.
    let auditReports = Messages()
    /// The diagnostics about refused origins.
    let originReports = Messages()
    fileprivate let environment: [String: String]
    fileprivate let files: [String: String]
    fileprivate let requestLog: LineCollector
    fileprivate let auditLog: LineCollector

    /// - Parameters:
    ///   - files: the content of the files that the configuration names.
    ///   - auditCapacity: the maximum number of buffered bytes of an audit file or socket.
    ///   - clock: the service's clock; nil for the clocks of the machine.
    ///   - issuerKeys: the keys of token issuers that are fetched.
    init(
        _ yaml: String, environment: [String: String], storage: ScriptedStorage, files: [String: String],
        auditCapacity: Int, clock: TestClock?, issuerKeys: IssuerKeyPool = IssuerKeyPool()
    ) throws {
        let time: @Sendable () -> SigningTime = { clock?.time ?? .now() }
        configuration = try ServiceConfiguration(parsing: Array(yaml.utf8), file: "test.yaml")
        (self.environment, self.storage, self.files) = (environment, storage, files)
        requestLog = LineCollector(time: time)
        auditLog = LineCollector(time: time)
        let (reports, originReports) = (auditReports, originReports)
        audit = try AuditStream.open(configuration.audit, standardOutput: auditLog.sink, capacity: auditCapacity) {
            reports.append($0)
        }
        service = Service(
            try ServiceSnapshot(
                configuration, environment: { environment[$0] }, issuerKeys: issuerKeys,
                read: { Array((files[$0] ?? "").utf8) }),
            existence: ExistenceCheck { url, caller, completion in storage.head(url, caller, completion) },
            requestLog: configuration.log.requests ? requestLog.sink : nil, audit: audit,
            offersMetrics: configuration.metrics.usesServiceListeners, requestIDStart: "test",
            refusedOrigins: RefusedOriginLog { originReports.append($1) },
            time: time,
            uptime: { clock?.uptime ?? .now() })
    }
}

/// A test's service, with or without sockets.
protocol AssembledService {
    var assembly: ServiceAssembly { get }
}

extension AssembledService {
    var service: Service { assembly.service }
    var storage: ScriptedStorage { assembly.storage }

    /// The lines of the request log so far.
    func logLines() -> [String] { assembly.requestLog.lines }

    /// The lines of the audit so far, if it goes to standard output.
    func auditLines() -> [String] { assembly.auditLog.lines }

    /// Replaces the configuration.
    func reload(_ yaml: String) throws {
        let (environment, files) = (assembly.environment, assembly.files)
        service.replaceSnapshot(
            by: try ServiceSnapshot(
                try ServiceConfiguration(parsing: Array(yaml.utf8), file: "test.yaml"),
                environment: { environment[$0] },
                read: { Array((files[$0] ?? "").utf8) }))
    }
}

extension ServiceSnapshot {
    /// Loads keys and credentials from environment variables and files, without pools of a process.
    package init(
        _ configuration: ServiceConfiguration, environment: @escaping @Sendable (String) -> String?,
        issuerKeys: IssuerKeyPool = IssuerKeyPool(), read: (String) throws -> [UInt8]
    ) throws {
        try self.init(
            configuration, credentials: CredentialPool(sources: { $0.source(environment: environment) }),
            issuerKeys: issuerKeys, read: read)
    }
}
