import CallerAuthentication
import Dispatch
import Logging
import PresignService
import Presigning
import Refreshing
import StorageCredentials
import Synchronization
import System

/// Refreshes the storage credentials and the fetched keys of token issuers while the service runs.
final class Refreshers: Sendable {
    private let service: Service
    /// The credentials of all stores.
    let credentials: CredentialPool
    /// The fetched keys of all token issuers.
    let issuerKeys: IssuerKeyPool
    private let logger: Logger
    private let watch = Mutex<FileWatch?>(nil)

    /// - Parameter service: receives what was refreshed.
    init(of service: Service, _ credentials: CredentialPool, _ issuerKeys: IssuerKeyPool, _ logger: Logger) {
        (self.service, self.credentials, self.issuerKeys, self.logger) = (service, credentials, issuerKeys, logger)
    }

    /// Refreshes what a configuration uses from now on: starts new sources and stops those that it does not have.
    func follow(_ configuration: ServiceConfiguration) {
        let stores = configuration.stores.filter { $0.givenCredentials == nil }
        credentials.keep(only: Set(stores.flatMap { [$0.credentials.read, $0.credentials.write] }))
        // Taken before the files are read, so that a later change is noticed.
        let files = credentials.all.flatMap(\.source.source.files)
        let stamps = FileStamps(files)
        for value in credentials.all where value.source.require(configuration.aws.minRemaining) { value.refreshNow() }
        credentials.start { [service, logger] value, step in
            if step.hasChanged { service.renewSnapshot() }
            if let event = step.event { logger.log(event, of: value.source.id) }
        }
        issuerKeys.keep(only: configuration.authentication.keySources)
        issuerKeys.start { [service, logger] value, step in
            if step.hasChanged { service.renewSnapshot() }
            if let event = step.event { logger.log(event, of: value.source.id.issuerName) }
        }
        watch.withLock { watch in
            if let watch { return watch.watch(files) }
            guard !credentials.all.isEmpty else { return }
            watch = FileWatch(on: DispatchQueue(label: "presign.credentials.files"), since: stamps)
            watch?.poll { self.refreshNow() }
        }
    }

    /// Reads variables and files and requests credential endpoints, as soon as the files are quiet.
    func refreshCredentials() {
        guard let watch = watch.withLock({ $0 }) else { return }
        watch.whenQuiet { changing in
            guard let changing else { return self.refreshNow() }
            self.logger.warning(
                "credentials not refreshed: \(FileChanging(path: changing))", metadata: ["event": "credentials-failed"])
        }
    }

    private func refreshNow() { for value in credentials.all { value.refreshNow() } }

    /// Stops all refreshing.
    func stop() {
        watch.withLock { $0?.stop() }
        credentials.keep(only: [])
        issuerKeys.keep(only: [])
        // A credential process must not outlive the service.
        ChildProcess.killAll()
    }
}

extension Logger {
    fileprivate func log(_ event: CurrentCredentials.Event, of id: CredentialSelection) {
        switch event {
        case .renewed(let new, _):
            var metadata: Metadata = [
                "event": "credentials", "selection": "\(id)", "accessKeyId": "\(new.accessKeyID)",
            ]
            if let expiration = new.expiration { metadata["expiration"] = "\(expiration)" }
            notice("credentials renewed", metadata: metadata)
            if let warning = new.unknownExpirationWarning { self.warning("\(warning)") }
        case .failed(let failure, let isUsable):
            log(
                failure, isUsable ? nil : "no usable credentials", of: "credentials",
                ["event": "credentials-failed", "selection": "\(id)"])
        }
    }

    fileprivate func log(_ event: CurrentIssuerKeys.Event, of issuer: String) {
        switch event {
        case .renewed(let keys, let old):
            logKeys(of: issuer, from: Set(old?.keyIDs ?? []), to: Set(keys.keyIDs))
            for warning in keys.warnings { self.warning("\(warning)") }
        case .failed(let failure, let isUsable):
            log(
                failure, isUsable ? nil : "no issuer keys, its tokens get 503", of: "issuer keys",
                ["event": "issuer-keys-failed", "issuer": "\(issuer)"])
        }
    }

    /// - Parameter effect: what the failure means; nil if the current values stay in use.
    private func log(_ failure: some Error, _ effect: String?, of values: String, _ metadata: Metadata) {
        let metadata = metadata.merging(["usable": "\(effect == nil)"]) { $1 }
        let text = effect ?? "\(values) not renewed, the current ones stay in use"
        log(level: effect == nil ? .warning : .error, "\(text): \(failure)", metadata: metadata)
    }

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
