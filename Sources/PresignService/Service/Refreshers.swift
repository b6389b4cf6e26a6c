import CallerAuthentication
package import Logging
import Presigning
import Refreshing
import StorageCredentials
import System

/// Refreshes the storage credentials and the fetched keys of token issuers while the service runs. They survive a reload
/// of the configuration.
package final class Refreshers: Sendable {
    private let credentials: CredentialPool
    private let issuerKeys = IssuerKeyPool()
    private let logger: Logger

    /// - Parameter environment: returns the value of an environment variable.
    package init(environment: @escaping @Sendable (String) -> String?, _ logger: Logger) {
        credentials = CredentialPool(sources: { $0.source(environment: environment) })
        self.logger = logger
    }

    /// Creates the snapshot of a configuration with the current values; see `ServiceSnapshot`.
    package func snapshot(
        of configuration: ServiceConfiguration, read: (String) throws -> [UInt8]
    ) throws -> ServiceSnapshot {
        try ServiceSnapshot(configuration, credentials: credentials, issuerKeys: issuerKeys, read: read)
    }

    /// Stops the sources that a configuration does not have. Returns the files of the others, whose changes call for
    /// `refreshCredentials`.
    package func keep(only configuration: ServiceConfiguration) -> [String] {
        let stores = configuration.stores.filter { $0.givenCredentials == nil }
        credentials.keep(only: Set(stores.flatMap { [$0.credentials.read, $0.credentials.write] }))
        issuerKeys.keep(only: configuration.authentication.keySources)
        return credentials.all.flatMap(\.source.source.files)
    }

    /// Refreshes what a configuration uses from now on.
    ///
    /// - Parameter service: uses what was refreshed.
    package func start(_ configuration: ServiceConfiguration, for service: Service) {
        for value in credentials.all where value.source.require(configuration.aws.minRemaining) { value.refreshNow() }
        credentials.start { [logger] value, step in
            if step.hasChanged { service.renewSnapshot() }
            if let event = step.event { logger.log(event, of: value.source.id) }
        }
        issuerKeys.start { [logger] value, step in
            if step.hasChanged { service.renewSnapshot() }
            if let event = step.event { logger.log(event, of: value.source.id.issuerName) }
        }
    }

    /// Reads variables and files and requests credential endpoints.
    package func refreshCredentials() { for value in credentials.all { value.refreshNow() } }

    /// Stops all refreshing.
    package func stop() {
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
    package func logKeys(of issuer: String, from old: Set<String>, to new: Set<String>) {
        notice(
            "issuer keys changed",
            metadata: [
                "event": "issuer-keys", "issuer": "\(issuer)",
                "added": "\(new.subtracting(old).sorted().joined(separator: " "))",
                "removed": "\(old.subtracting(new).sorted().joined(separator: " "))",
            ])
    }
}
