import Dispatch
import Logging
import PresignService
import Presigning
import StorageCredentials
import Synchronization
import System
import Telemetry

/// Refreshes the storage credentials of the service. Each selection has its own queue, so that a slow source delays
/// neither other sources nor an event loop.
final class CredentialRefresher: Sendable {
    private let service: Service
    /// The credentials of all stores.
    let pool: CredentialPool
    private let logger: Logger
    private let queues = Mutex<[CredentialSelection: RefreshQueue]>([:])
    private let watch: Mutex<FileWatch?>

    /// - Parameters:
    ///   - service: receives the refreshed credentials.
    ///   - pool: the credentials to refresh.
    init(of service: Service, _ pool: CredentialPool, _ logger: Logger) {
        self.service = service
        self.pool = pool
        self.logger = logger
        watch = Mutex(nil)
    }

    /// Refreshes the selections of a configuration from now on: starts new ones and stops those that it does not have.
    func follow(_ configuration: ServiceConfiguration) {
        pool.keep(only: Self.selections(of: configuration))
        let entries = pool.entries
        // Taken before the files are read, so that a later change is noticed.
        let files = entries.flatMap(\.source.files)
        let stamps = FileStamps(files)
        queues.withLock { queues in
            for (selection, queue) in queues where !entries.contains(where: { $0.selection == selection }) {
                queue.stop()
                queues[selection] = nil
            }
            for entry in entries {
                let queue = queues[entry.selection] ?? RefreshQueue(entry, service, logger)
                queues[entry.selection] = queue
                queue.run(minRemaining: configuration.aws.minRemaining)
            }
        }
        watch.withLock { watch in
            if let watch { return watch.watch(files) }
            guard !entries.isEmpty else { return }
            watch = FileWatch(on: DispatchQueue(label: "presign.credentials.files"), since: stamps)
            watch?.poll { self.refreshNow() }
        }
    }

    /// Returns the selections that the stores use, except those of stores with fixed credentials.
    static func selections(of configuration: ServiceConfiguration) -> Set<CredentialSelection> {
        Set(
            configuration.stores.filter { $0.givenCredentials == nil }.flatMap {
                [$0.credentials.read, $0.credentials.write]
            })
    }

    /// Reads variables and files and requests endpoints, as soon as the files are quiet.
    func refresh() {
        guard let watch = watch.withLock({ $0 }) else { return }
        watch.whenQuiet { changing in
            guard let changing else { return self.refreshNow() }
            self.logger.warning(
                "credentials not refreshed: \(FileChanging(path: changing))",
                metadata: ["event": "credentials-failed"])
        }
    }

    private func refreshNow() {
        queues.withLock { for queue in $0.values { queue.refreshNow() } }
    }

    /// Stops all refreshing.
    func stop() {
        watch.withLock { $0?.stop() }
        queues.withLock { for queue in $0.values { queue.stop() } }
        // A credential process must not outlive the service.
        ChildProcess.killAll()
    }
}

/// Refreshes one selection on its own queue, when that is due.
private final class RefreshQueue: Sendable {
    private struct State {
        var refresh: SelectionRefresh
        var minRemaining = 0
    }

    private let entry: CredentialPool.Entry
    private let service: Service
    private let logger: Logger
    /// Used on the queue only; never locked while credentials are fetched.
    private let state: Mutex<State>
    private let queue = StepQueue("presign.credentials")

    init(_ entry: CredentialPool.Entry, _ service: Service, _ logger: Logger) {
        self.entry = entry
        self.service = service
        self.logger = logger
        state = Mutex(State(refresh: SelectionRefresh(entry)))
    }

    func stop() { queue.stop() }

    func run(minRemaining: Int) {
        queue.run { [self] in
            state.withLock { $0.minRemaining = minRemaining }
            return step()
        }
    }

    func refreshNow() {
        queue.run { [self] in
            state.withLock { $0.refresh.refreshNow() }
            return step()
        }
    }

    /// Returns the pause until the next step.
    private func step() -> Duration? {
        var state = self.state.withLock { $0 }
        let step = state.refresh.step(minRemaining: state.minRemaining, clock: ClockReading.now) { .random(in: 0..<1) }
        self.state.withLock { $0 = state }
        if step.hasChanged { service.renewSnapshot() }
        if let event = step.event { log(event) }
        return step.pause
    }

    private func log(_ event: SelectionRefresh.Event) {
        switch event {
        case .renewed(let id, let expiration):
            var metadata: Logger.Metadata = [
                "event": "credentials", "selection": "\(entry.selection)", "accessKeyId": "\(id)",
            ]
            if let expiration { metadata["expiration"] = "\(expiration)" }
            logger.notice("credentials renewed", metadata: metadata)
            if let warning = entry.slot.credentials?.unknownExpirationWarning { logger.warning("\(warning)") }
        case .failed(let failure, let areUsable):
            let metadata: Logger.Metadata = [
                "event": "credentials-failed", "selection": "\(entry.selection)", "usable": "\(areUsable)",
            ]
            if areUsable {
                logger.warning("credentials not renewed, the current ones stay in use: \(failure)", metadata: metadata)
            } else {
                logger.error("no usable credentials: \(failure)", metadata: metadata)
            }
        }
    }
}
