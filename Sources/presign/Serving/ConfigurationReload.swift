import Dispatch
import Logging
import PresignService
import Synchronization

/// Reloads the configuration on request and when one of its files changes.
///
/// If the new configuration is invalid, the current one stays in use, the reason is logged, and the reload is retried:
/// a revoked key must not stay valid because the process had no free file descriptor.
final class ConfigurationReload: Sendable {
    private struct State {
        /// The key ids of each token issuer.
        var keyIDs: [String: Set<String>]
        var watch: FileWatch?
        /// The reason why the last reload failed, and the seconds until the next attempt; nil if it succeeded.
        var failure: (reason: String, pause: Int)?
        /// The number of reloads since the start.
        var count = 0
    }

    /// The shortest and the longest pause before a retry, in seconds; the pause doubles with each failure.
    private static let pauses = 2...60

    private let service: Service
    private let running: ServiceConfiguration
    private let notifier: SystemdNotifier
    private let logger: Logger
    private let credentials: CredentialRefresher
    private let issuerKeys: IssuerKeyRefresher
    private let storage: EmbeddedStorage?
    private let read: @Sendable () throws(CommandFailure) -> ServiceConfiguration
    private let queue: DispatchQueue
    private let tls: TLSReloader?
    private let state: Mutex<State>
    /// The configuration file; empty without one.
    private let file: [String]

    /// - Parameters:
    ///   - service: receives the new snapshots.
    ///   - running: the configuration that the process was started with.
    ///   - snapshot: the snapshot of `running`.
    ///   - file: the configuration file; nil without one.
    ///   - tls: receives new TLS files; nil if TLS is off.
    ///   - credentials: follows the stores of a new configuration.
    ///   - issuerKeys: follows the token issuers of a new configuration.
    ///   - storage: the local storage, which follows a new configuration too; nil without one.
    ///   - notifier: reports the beginning and the end of each reload.
    ///   - read: reads the current configuration.
    init(
        of service: Service, startedWith running: ServiceConfiguration, _ snapshot: ServiceSnapshot, file: String?,
        tls: TLSReloader?, _ credentials: CredentialRefresher, _ issuerKeys: IssuerKeyRefresher,
        _ storage: EmbeddedStorage?, _ notifier: SystemdNotifier, _ logger: Logger,
        read: @escaping @Sendable () throws(CommandFailure) -> ServiceConfiguration
    ) {
        self.service = service
        self.running = running
        self.file = file.map { [$0] } ?? []
        self.notifier = notifier
        self.logger = logger
        self.credentials = credentials
        self.issuerKeys = issuerKeys
        self.storage = storage
        self.read = read
        queue = DispatchQueue(label: "presign.configuration")
        self.tls = tls
        tls?.renew(on: queue)
        state = Mutex(State(keyIDs: snapshot.issuerKeyIDs))
    }

    /// Starts a reload and returns immediately.
    ///
    /// - Parameter cause: the reason, for the log.
    func begin(because cause: String) {
        queue.async { self.reload(because: cause) }
    }

    /// Reloads whenever the configuration file or a file that it names changes, until `stop`.
    ///
    /// - Parameter stamps: the stamps of the files, taken before they were read.
    func watch(since stamps: FileStamps) {
        guard !file.isEmpty else { return }
        let watch = FileWatch(on: queue, since: stamps) { self.reload(because: "a file has changed") }
        state.withLock { $0.watch = watch }
    }

    /// Stops watching files.
    func stop() {
        state.withLock { $0.watch }?.stop()
    }

    private func reload(because cause: String) {
        state.withLock { $0.failure = nil }
        replaceConfiguration(because: cause)
    }

    private func reloadLater(after pause: Int) {
        let count = state.withLock { $0.count }
        queue.asyncAfter(deadline: .now() + .seconds(pause)) { [weak self] in
            guard let self, state.withLock({ $0.count }) == count else { return }
            // A file that is still being written must not be read.
            guard state.withLock({ $0.watch })?.isStable ?? true else { return reloadLater(after: pause) }
            replaceConfiguration(because: "retry after a failure")
        }
    }

    private func replaceConfiguration(because cause: String) {
        notifier.beginReload()
        let failure = tryToReplaceConfiguration(because: cause).map { "\($0)" }
        notifier.finishReload(succeeded: failure == nil)
        let (lastFailure, pause) = state.withLock { state in
            let last = state.failure
            let pause = last.map { min(2 * $0.pause, Self.pauses.upperBound) } ?? Self.pauses.lowerBound
            state.count += 1
            state.failure = failure.map { ($0, pause) }
            return (last?.reason, pause)
        }
        guard let failure else { return }
        reloadLater(after: pause)
        // Retries that fail for the same reason are not logged.
        guard failure != lastFailure else { return }
        service.metrics.noteReload(succeeded: false)
        logger.error(
            "reload failed, the current configuration stays in use: \(failure)",
            metadata: ["event": "reload-failed", "cause": "\(cause)"])
    }

    /// Returns the reason of the failure; nil on success.
    private func tryToReplaceConfiguration(because cause: String) -> CommandFailure? {
        let watch = state.withLock { $0.watch }
        var stamps = FileStamps(file)
        // A failed reload has read these files too.
        defer { watch?.acknowledge(stamps) }
        do {
            var configuration = try read()
            let sections = configuration.sectionsNeedingRestart(after: running)
            configuration.keepBounds(of: running)
            let files = configuration.files
            stamps.add(FileStamps(files))
            // If the new configuration is invalid, a change of one of its files may fix it.
            watch?.watchAlso(files)
            let snapshot = try ServiceParts.snapshot(of: configuration, credentials.pool, issuerKeys.pool)
            try applyTLS(of: configuration)
            service.replaceSnapshot(by: snapshot)
            credentials.follow(configuration)
            issuerKeys.follow(configuration)
            storage?.follow(configuration)
            service.metrics.noteReload(succeeded: true)
            for warning in snapshot.warnings { logger.warning("\(warning)") }
            let oldKeyIDs = state.withLock { state in
                defer { state.keyIDs = snapshot.issuerKeyIDs }
                return state.keyIDs
            }
            watch?.watch(file + files)
            logKeyChanges(from: oldKeyIDs, to: snapshot.issuerKeyIDs)
            if !sections.isEmpty {
                let names = sections.joined(separator: ", ")
                logger.warning("changes in \(names) take effect after a restart")
            }
            logger.notice(
                "configuration reloaded",
                metadata: ["event": "reloaded", "cause": "\(cause)", "configRevision": "\(snapshot.revision)"])
            return nil
        } catch {
            return error
        }
    }

    /// Applies new TLS files. Turning TLS on or off requires a restart.
    private func applyTLS(of configuration: ServiceConfiguration) throws(CommandFailure) {
        guard let tls, let configuration = configuration.tls else { return }
        tls.apply(try TLSReloader.loaded(configuration), of: configuration)
    }

    /// Logs a line for each issuer whose keys have changed.
    private func logKeyChanges(from before: [String: Set<String>], to after: [String: Set<String>]) {
        for issuer in Set(before.keys).union(after.keys).sorted() {
            let (old, new) = (before[issuer] ?? [], after[issuer] ?? [])
            guard old != new else { continue }
            logger.logKeys(of: issuer, from: old, to: new)
        }
    }
}
