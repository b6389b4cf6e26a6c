import Dispatch
import Logging
import PresignService
import Synchronization

/// Reads the configuration again when asked to, or when one of its files has changed, and has the service answer by it.
///
/// What cannot be read or used leaves everything as it was, and the log says why. It is tried again: a key that was revoked
/// must not go on working because there was no descriptor to read so by.
final class ConfigurationReload: Sendable {
    private struct State {
        /// The files that the configuration in use names.
        var files: [String]
        /// Names of the keys of each issuer of tokens.
        var keyIDs: [String: Set<String>]
        var watch: FileWatch?
        /// Why the last reload has failed, and how many seconds after it the next comes; nil: it has not.
        var failure: (reason: String, pause: Int)?
        /// Reloads since the start.
        var count = 0
    }

    /// Seconds between reloads that fail: the first and the longest pause, each twice as long as the one before.
    private static let pauses = 2...60

    private let service: Service
    private let running: ServiceConfiguration
    private let notifier: SystemdNotifier
    private let logger: Logger
    private let credentials: CredentialRefresh
    private let storage: EmbeddedStorage?
    private let read: @Sendable () throws(CommandFailure) -> ServiceConfiguration
    private let queue: DispatchQueue
    private let tls: TLSReloader?
    private let state: Mutex<State>
    private let file: String?

    /// - Parameters:
    ///   - service: takes the new snapshots.
    ///   - running: what the process was started with, and `snapshot` what came of it.
    ///   - file: the configuration's own; nil when there is none.
    ///   - tls: what connections with TLS begin with; nil when there are none.
    ///   - credentials: goes on with what the stores have then.
    ///   - storage: goes on with what stands in for them; nil when there is none.
    ///   - notifier: hears of the beginning and the end of each reload.
    ///   - read: reads the configuration as it is now.
    init(
        of service: Service, startedWith running: ServiceConfiguration, _ snapshot: ServiceSnapshot, file: String?,
        tls: TLSReloader?, _ credentials: CredentialRefresh, _ storage: EmbeddedStorage?, _ notifier: SystemdNotifier,
        _ logger: Logger,
        read: @escaping @Sendable () throws(CommandFailure) -> ServiceConfiguration
    ) {
        self.service = service
        self.running = running
        self.file = file
        self.notifier = notifier
        self.logger = logger
        self.credentials = credentials
        self.storage = storage
        self.read = read
        queue = DispatchQueue(label: "presign.configuration")
        self.tls = tls
        tls?.renew(on: queue)
        state = Mutex(State(files: running.files, keyIDs: snapshot.issuerKeyIDs))
    }

    /// Reloads soon; returns at once.
    ///
    /// - Parameter cause: why, for the log.
    func begin(because cause: String) {
        queue.async { self.reload(because: cause) }
    }

    /// Reloads whenever the configuration's file or one that it names changes, until `stop`.
    ///
    /// - Parameter stamps: what they looked like before they were read.
    func watch(since stamps: FileStamps) {
        guard file != nil else { return }
        let watch = FileWatch(on: queue, since: stamps) { self.reload(because: "a file has changed") }
        state.withLock { $0.watch = watch }
    }

    /// Looks at the configuration's file and these, from now on.
    private func watch(_ files: [String]) {
        guard let file else { return }
        state.withLock { $0.watch }?.watch([file] + files)
    }

    /// Watches no more.
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
            // What is just being written is not read by half: the watch tells when it has come to rest.
            guard state.withLock({ $0.watch })?.areAtRest ?? true else { return reloadLater(after: pause) }
            replaceConfiguration(because: "it failed before")
        }
    }

    private func replaceConfiguration(because cause: String) {
        notifier.beginReload()
        let failure = tryToReplaceConfiguration(because: cause).map { "\($0)" }
        notifier.finishReload(succeeded: failure == nil)
        let (former, pause) = state.withLock { state in
            let former = state.failure
            let pause = former.map { min(2 * $0.pause, Self.pauses.upperBound) } ?? Self.pauses.lowerBound
            state.count += 1
            state.failure = failure.map { ($0, pause) }
            return (former?.reason, pause)
        }
        guard let failure else { return }
        reloadLater(after: pause)
        // Once, however often it is tried.
        guard failure != former else { return }
        service.metrics.noteReload(succeeded: false)
        logger.error(
            "the configuration was not reloaded, the one before stays: \(failure)",
            metadata: ["event": "reload-failed", "cause": "\(cause)"])
    }

    /// Why the one before stays; nil if it does not.
    private func tryToReplaceConfiguration(because cause: String) -> CommandFailure? {
        var stamps = FileStamps(file.map { [$0] } ?? [])
        // Whatever comes of it: these files were read as they looked before.
        defer { state.withLock { $0.watch }?.acknowledge(stamps) }
        do {
            var configuration = try read()
            let sections = configuration.sectionsNeedingRestart(after: running)
            configuration.keepBounds(of: running)
            let files = configuration.files
            stamps.add(FileStamps(files))
            // Should it not be usable, a change of one of its files may mend that.
            watch(files + state.withLock { $0.files })
            let snapshot = try ServiceParts.snapshot(of: configuration, credentials.supply)
            try takeTLS(of: configuration)
            service.replaceSnapshot(by: snapshot)
            credentials.follow(configuration)
            storage?.follow(configuration)
            service.metrics.noteReload(succeeded: true)
            for warning in snapshot.warnings { logger.warning("\(warning)") }
            let former = state.withLock { state in
                defer { (state.files, state.keyIDs) = (files, snapshot.issuerKeyIDs) }
                return state.keyIDs
            }
            watch(files)
            tellOfKeys(from: former, to: snapshot.issuerKeyIDs)
            if !sections.isEmpty {
                let names = sections.joined(separator: ", ")
                logger.warning("changes in \(names) take effect when the service starts again")
            }
            logger.notice(
                "configuration reloaded",
                metadata: ["event": "reloaded", "cause": "\(cause)", "configRevision": "\(snapshot.revision)"])
            return nil
        } catch {
            return error
        }
    }

    /// Speaking TLS at all, or not, is for a new start.
    private func takeTLS(of configuration: ServiceConfiguration) throws(CommandFailure) {
        guard let tls, let configuration = configuration.tls else { return }
        tls.take(try TLSReloader.loaded(configuration), of: configuration)
    }

    /// One line for each issuer whose keys are not the ones they were.
    private func tellOfKeys(from former: [String: Set<String>], to current: [String: Set<String>]) {
        for issuer in Set(former.keys).union(current.keys).sorted() {
            let (old, new) = (former[issuer] ?? [], current[issuer] ?? [])
            guard old != new else { continue }
            logger.notice(
                "keys of an issuer changed",
                metadata: [
                    "event": "issuer-keys", "issuer": "\(issuer)",
                    "added": "\(new.subtracting(old).sorted().joined(separator: " "))",
                    "removed": "\(old.subtracting(new).sorted().joined(separator: " "))",
                ])
        }
    }
}
