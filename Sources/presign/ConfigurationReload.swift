import Dispatch
import Logging
import PresignService
import SystemInterface

/// Reads the configuration again when asked to, or when one of its files has changed, and has the service answer by it.
///
/// What cannot be read or used leaves everything as it was, and the log says why.
struct ConfigurationReload: Sendable {
    private let service: Service
    private let running: ServiceConfiguration
    private let logger: Logger
    private let read: @Sendable () throws(CommandFailure) -> ServiceConfiguration
    private let queue: DispatchQueue

    /// - Parameters:
    ///   - service: takes the new snapshots.
    ///   - running: what the process was started with.
    ///   - read: reads the configuration as it is now.
    init(
        of service: Service, startedWith running: ServiceConfiguration, _ logger: Logger,
        read: @escaping @Sendable () throws(CommandFailure) -> ServiceConfiguration
    ) {
        self.service = service
        self.running = running
        self.logger = logger
        self.read = read
        queue = DispatchQueue(label: "presign.configuration")
    }

    /// Reloads soon; returns at once.
    ///
    /// - Parameter cause: why, for the log.
    func begin(because cause: String) {
        queue.async { self.reload(because: cause) }
    }

    /// Reloads whenever a file changes, for as long as the watch is kept.
    func watch(_ paths: @escaping @Sendable () -> [String]) -> FileWatch {
        FileWatch(on: queue, paths: paths) { self.reload(because: "a file has changed") }
    }

    private func reload(because cause: String) {
        do {
            let configuration = try read()
            let snapshot = try Serve.snapshot(of: configuration)
            service.replaceSnapshot(by: snapshot)
            for warning in snapshot.warnings { logger.warning("\(warning)") }
            let sections = configuration.sectionsNeedingRestart(after: running)
            if !sections.isEmpty {
                let names = sections.joined(separator: ", ")
                logger.warning("changes in \(names) take effect when the service starts again")
            }
            logger.notice(
                "configuration reloaded",
                metadata: ["event": "reloaded", "cause": "\(cause)", "configRevision": "\(snapshot.revision)"])
        } catch {
            logger.error(
                "the configuration was not reloaded, the one before stays: \(error)",
                metadata: ["event": "reload-failed", "cause": "\(cause)"])
        }
    }
}
