import Dispatch
import Logging
import PresignService
import Presigning
import StorageCredentials
import Synchronization
import System

/// Keeps the service's credentials fresh: every selection on a queue of its own, so that a slow one holds nobody up, and
/// none of them on an event loop.
final class CredentialRefresh: Sendable {
    private let service: Service
    /// What the stores' credentials are taken from.
    let supply: CredentialPool
    private let logger: Logger
    private let runners = Mutex<[CredentialSelection: CredentialRunner]>([:])
    private let watch: Mutex<FileWatch?>

    /// - Parameters:
    ///   - service: takes the credentials that come.
    ///   - supply: whose credentials.
    init(of service: Service, _ supply: CredentialPool, _ logger: Logger) {
        self.service = service
        self.supply = supply
        self.logger = logger
        watch = Mutex(nil)
    }

    /// Begins with the selections of a configuration, goes on with those that were there before, and ends with others.
    func follow(_ configuration: ServiceConfiguration) {
        supply.keep(only: Self.selections(of: configuration))
        let lines = supply.entries
        // Before anybody reads them.
        let files = lines.flatMap(\.source.files)
        let stamps = FileStamps(files)
        runners.withLock { runners in
            for (selection, runner) in runners where !lines.contains(where: { $0.selection == selection }) {
                runner.stop()
                runners[selection] = nil
            }
            for line in lines {
                let runner = runners[line.selection] ?? CredentialRunner(line, service, logger)
                runners[line.selection] = runner
                runner.run(minRemaining: configuration.aws.minRemaining)
            }
        }
        watch.withLock { watch in
            if let watch { return watch.watch(files) }
            guard !lines.isEmpty else { return }
            watch = FileWatch(on: DispatchQueue(label: "presign.credentials.files"), since: stamps) {
                self.lookAgain()
            }
        }
    }

    /// Each has a queue of its own.
    static func selections(of configuration: ServiceConfiguration) -> Set<CredentialSelection> {
        Set(
            configuration.stores.filter { $0.givenCredentials == nil }.flatMap {
                [$0.credentials.read, $0.credentials.write]
            })
    }

    /// Looks at variables and files, and asks endpoints, now.
    func lookAgain() {
        runners.withLock { for runner in $0.values { runner.lookAgain() } }
    }

    /// Asks nobody any more.
    func stop() {
        watch.withLock { $0?.stop() }
        runners.withLock { for runner in $0.values { runner.stop() } }
        // Nobody would end it any more.
        ChildProcess.killAll()
    }
}

/// Steps one selection's refresher.
private final class CredentialRunner: Sendable {
    private struct State {
        var refresher: CredentialRefresher
        var minRemaining = 0
        /// Which of the timers is the one that counts.
        var timer = 0
    }

    private let line: CredentialPool.Entry
    private let service: Service
    private let logger: Logger
    private let queue: DispatchQueue
    /// Belongs to the queue; never locked while credentials are fetched.
    private let state: Mutex<State>
    private let isStopped = Atomic(false)

    init(_ line: CredentialPool.Entry, _ service: Service, _ logger: Logger) {
        self.line = line
        self.service = service
        self.logger = logger
        queue = DispatchQueue(label: "presign.credentials")
        state = Mutex(State(refresher: CredentialRefresher(line)))
    }

    func stop() { isStopped.store(true, ordering: .relaxed) }

    func run(minRemaining: Int) {
        queue.async {
            self.state.withLock { $0.minRemaining = minRemaining }
            self.step()
        }
    }

    func lookAgain() {
        queue.async {
            self.state.withLock { $0.refresher.refreshNow() }
            self.step()
        }
    }

    private func step() {
        guard !isStopped.load(ordering: .relaxed) else { return }
        var state = self.state.withLock { $0 }
        state.timer += 1
        let step = state.refresher.step(minRemaining: state.minRemaining, clock: Self.now) { .random(in: 0..<1) }
        let timer = state.timer
        self.state.withLock { $0 = state }
        if step.hasChanged { service.takeCredentials() }
        if let event = step.event { tell(event) }
        guard let pause = step.pause else { return }
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(pause / .nanoseconds(1)))) {
            guard self.state.withLock({ $0.timer == timer }) else { return }
            self.step()
        }
    }

    private func tell(_ event: CredentialRefresher.Event) {
        switch event {
        case .renewed(let id, let expiration):
            var metadata: Logger.Metadata = [
                "event": "credentials", "selection": "\(line.selection)", "accessKeyId": "\(id)",
            ]
            if let expiration { metadata["expiration"] = "\(expiration)" }
            logger.notice("credentials renewed", metadata: metadata)
            if let warning = line.slot.credentials?.unknownExpirationWarning { logger.warning("\(warning)") }
        case .failed(let failure, let areUsable):
            let metadata: Logger.Metadata = [
                "event": "credentials-failed", "selection": "\(line.selection)", "usable": "\(areUsable)",
            ]
            if areUsable {
                logger.warning("no new credentials, the ones before are used on: \(failure)", metadata: metadata)
            } else {
                logger.error("no usable credentials: \(failure)", metadata: metadata)
            }
        }
    }

    private static func now() -> ClockReading {
        ClockReading(
            wall: SigningTime(secondsSince1970: WallClock.seconds()),
            uptime: .nanoseconds(MonotonicTime.now().nanoseconds))
    }
}
