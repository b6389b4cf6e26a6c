import CallerAuthentication
import Logging
import PresignService
import Synchronization

/// Fetches the keys of token issuers and keeps them current. Each source has its own queue.
final class IssuerKeyRefresher: Sendable {
    private let service: Service
    /// The keys to refresh.
    let pool: IssuerKeyPool
    private let logger: Logger
    private let queues = Mutex<[RemoteKeySource: StepQueue]>([:])

    /// - Parameters:
    ///   - service: receives the fetched keys.
    ///   - pool: the keys to refresh.
    init(of service: Service, _ pool: IssuerKeyPool, _ logger: Logger) {
        (self.service, self.pool, self.logger) = (service, pool, logger)
    }

    /// Refreshes the sources of a configuration from now on: starts new ones and stops those that it does not have.
    func follow(_ configuration: ServiceConfiguration) {
        pool.keep(only: configuration.authentication.keySources)
        let all = pool.all
        queues.withLock { queues in
            for (source, queue) in queues where !all.contains(where: { $0.source == source }) {
                queue.stop()
                queues[source] = nil
            }
            for keys in all where queues[keys.source] == nil {
                let queue = StepQueue("presign.issuer-keys")
                queues[keys.source] = queue
                let run = { @Sendable [weak self] in
                    guard let self else { return }
                    queue.run { self.step(keys) }
                }
                keys.onWake(run)
                run()
            }
        }
    }

    /// Stops all refreshing.
    func stop() { queues.withLock { for queue in $0.values { queue.stop() } } }

    /// Returns the pause until the next step.
    private func step(_ keys: CurrentIssuerKeys) -> Duration {
        let step = keys.step { .random(in: 0..<1) }
        if step.hasChanged { service.renewSnapshot() }
        if let event = step.event { log(event, of: keys.source.issuerName) }
        return step.pause
    }

    private func log(_ event: CurrentIssuerKeys.Event, of issuer: String) {
        switch event {
        case .renewed(let keys, let oldKeyIDs):
            logger.logKeys(of: issuer, from: Set(oldKeyIDs), to: Set(keys.keyIDs))
            for warning in keys.warnings { logger.warning("\(warning)") }
        case .failed(let failure, let areUsable):
            let metadata: Logger.Metadata = [
                "event": "issuer-keys-failed", "issuer": "\(issuer)", "usable": "\(areUsable)",
            ]
            if areUsable {
                logger.warning("issuer keys not renewed, the current ones stay in use: \(failure)", metadata: metadata)
            } else {
                logger.error("no issuer keys, its tokens get 503: \(failure)", metadata: metadata)
            }
        }
    }
}

extension Logger {
    /// Logs the key ids that an issuer's new keys add and remove.
    func logKeys(of issuer: String, from old: Set<String>, to new: Set<String>) {
        notice(
            "issuer keys changed",
            metadata: [
                "event": "issuer-keys", "issuer": "\(issuer)",
                "added": "\(new.subtracting(old).sorted().joined(separator: " "))",
                "removed": "\(old.subtracting(new).sorted().joined(separator: " "))",
            ])
    }
}
