import Dispatch
import Logging
import PresignService
import Synchronization

/// Reloads the configuration on request and when one of its files changes.
///
/// Files are read only when they are quiet. If the new configuration is invalid, or a file does not stop changing, the
/// current one stays in use, the reason is logged, and the reload is retried: a revoked key must not stay valid because
/// the process had no free file descriptor.
final class ConfigurationReload: Sendable {
    private struct State {
        /// The key ids of each token issuer.
        var keyIDs: [String: Set<String>]
        /// Whether a reload waits for its files. Further requests join it.
        var isReloading = false
        /// The reason why the last reload failed, and the seconds until the next attempt; nil if it succeeded.
        var failure: (reason: String, pause: Int)?
        /// The number of reloads since the start.
        var count = 0
    }

    /// The shortest and the longest pause before a retry, in seconds; the pause doubles with each failure.
    private static let pauses = 2...60

    private let parts: ServiceParts
    private let running: ServiceConfiguration
    private let notifier: SystemdNotifier
    private let logger: Logger
    private let credentials: CredentialFiles
    private let storage: EmbeddedStorage?
    private let read: @Sendable () throws(ProgramFailure) -> ServiceConfiguration
    private let queue: DispatchQueue
    private let watch: FileWatch
    private let state: Mutex<State>
    /// The configuration file; empty without one.
    private let file: [String]

    /// - Parameters:
    ///   - parts: receive the new snapshots and TLS files.
    ///   - running: the configuration that the process was started with.
    ///   - file: the configuration file; nil without one.
    ///   - stamps: the stamps of the files, taken before they were read.
    ///   - credentials: follows the stores and token issuers of a new configuration.
    ///   - storage: the local storage, which follows a new configuration too; nil without one.
    ///   - notifier: reports the beginning and the end of each reload.
    ///   - read: reads the current configuration.
    init(
        of parts: ServiceParts, startedWith running: ServiceConfiguration, file: String?, since stamps: FileStamps,
        _ credentials: CredentialFiles, _ storage: EmbeddedStorage?, _ notifier: SystemdNotifier, _ logger: Logger,
        read: @escaping @Sendable () throws(ProgramFailure) -> ServiceConfiguration
    ) {
        self.parts = parts
        self.running = running
        self.file = file.map { [$0] } ?? []
        self.notifier = notifier
        self.logger = logger
        self.credentials = credentials
        self.storage = storage
        self.read = read
        queue = DispatchQueue(label: "presign.configuration")
        watch = FileWatch(on: queue, since: stamps)
        parts.tls?.renew(on: queue, reading: watch)
        state = Mutex(State(keyIDs: parts.snapshot.issuerKeyIDs))
    }

    /// Starts a reload and returns immediately.
    ///
    /// - Parameter cause: the reason, for the log.
    func begin(because cause: String) {
        queue.async { self.reload(because: cause) }
    }

    /// Reloads whenever the configuration file or a file that it names changes, until `stop`.
    func start() {
        guard !file.isEmpty else { return }
        watch.poll { self.reload(because: "a file has changed") }
    }

    /// Stops watching files.
    func stop() { watch.stop() }

    private func reload(because cause: String) {
        state.withLock { $0.failure = nil }
        replaceConfiguration(because: cause)
    }

    private func reloadLater(after pause: Int) {
        let count = state.withLock { $0.count }
        queue.asyncAfter(deadline: .now() + .seconds(pause)) { [weak self] in
            guard let self, state.withLock({ $0.count }) == count else { return }
            replaceConfiguration(because: "retry after a failure")
        }
    }

    private func replaceConfiguration(because cause: String) {
        notifier.beginReload()
        let isFirst = state.withLock { state in
            defer { state.isReloading = true }
            return !state.isReloading
        }
        guard isFirst else { return }
        watch.read(file) {
            self.load()
        } then: { result in
            do throws(ProgramFailure) {
                let loaded = try reporting(errorsAs: .configuration) { try result.get().get() }
                self.apply(loaded, because: cause)
                self.finish(nil, because: cause)
            } catch {
                self.finish("\(error)", because: cause)
            }
        }
    }

    /// Ends a reload.
    ///
    /// - Parameter failure: the reason why it failed; nil if it succeeded.
    private func finish(_ failure: String?, because cause: String) {
        notifier.finishReload(succeeded: failure == nil)
        let (lastFailure, pause) = state.withLock { state in
            let last = state.failure
            let pause = last.map { min(2 * $0.pause, Self.pauses.upperBound) } ?? Self.pauses.lowerBound
            state.count += 1
            state.isReloading = false
            state.failure = failure.map { ($0, pause) }
            return (last?.reason, pause)
        }
        guard let failure else { return }
        reloadLater(after: pause)
        // Retries that fail for the same reason are not logged.
        guard failure != lastFailure else { return }
        parts.service.metrics.noteReload(succeeded: false)
        logger.error(
            "reload failed, the current configuration stays in use: \(failure)",
            metadata: ["event": "reload-failed", "cause": "\(cause)"])
    }

    /// A configuration with its files, not in use yet.
    private struct Loaded {
        /// The sections whose changes need a restart.
        let sections: [String]
        let snapshot: ServiceSnapshot
        /// Nil if TLS is off. Turning it on or off requires a restart.
        let tls: (LoadedTLS, TLSConfiguration)?
    }

    /// Loads the current configuration, or finds out why it cannot be used. Returns also the files that it has read, a
    /// change of which may fix an invalid configuration.
    private func load() -> (Result<Loaded, ProgramFailure>, paths: [String]) {
        var paths = file
        do throws(ProgramFailure) {
            var configuration = try read()
            let sections = configuration.sectionsNeedingRestart(after: running)
            configuration.keepBounds(of: running)
            paths += configuration.files
            let snapshot = try parts.refreshers.snapshot(of: configuration)
            var files: (LoadedTLS, TLSConfiguration)?
            if parts.tls != nil, let tls = configuration.tls { files = (try TLSReloader.loaded(tls), tls) }
            return (.success(Loaded(sections: sections, snapshot: snapshot, tls: files)), paths)
        } catch {
            return (.failure(error), paths)
        }
    }

    /// Puts a configuration to use.
    private func apply(_ loaded: Loaded, because cause: String) {
        let (configuration, snapshot) = (loaded.snapshot.configuration, loaded.snapshot)
        if let (files, configuration) = loaded.tls { parts.tls?.apply(files, of: configuration) }
        parts.service.replaceSnapshot(by: snapshot)
        credentials.follow(configuration)
        storage?.follow(configuration)
        parts.service.metrics.noteReload(succeeded: true)
        for warning in snapshot.warnings { logger.warning("\(warning)") }
        let oldKeyIDs = state.withLock { state in
            defer { state.keyIDs = snapshot.issuerKeyIDs }
            return state.keyIDs
        }
        watch.watch(file + configuration.files)
        logKeyChanges(from: oldKeyIDs, to: snapshot.issuerKeyIDs)
        if !loaded.sections.isEmpty {
            let names = loaded.sections.joined(separator: ", ")
            logger.warning("changes in \(names) take effect after a restart")
        }
        logger.notice(
            "configuration reloaded",
            metadata: ["event": "reloaded", "cause": "\(cause)", "configRevision": "\(configuration.revision)"])
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
