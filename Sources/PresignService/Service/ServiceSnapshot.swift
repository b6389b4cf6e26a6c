import AccessRules
package import CallerAuthentication
import DataFormats
package import HTTP1
import HTTPServer
import Presigning
import Refreshing
package import StorageCredentials
import Telemetry

/// One loaded configuration and its current credentials. Immutable: a request keeps one snapshot and never sees parts
/// of two configurations.
package struct ServiceSnapshot: Sendable {
    package let configuration: ServiceConfiguration
    package private(set) var stores: StoreTable
    package private(set) var authenticator: CallerAuthenticator
    package let cors: CORSPolicy
    /// The hosts that requests can name; nil without the embedded storage, which means any.
    let hosts: AllowedHosts?
    /// The limits of a batch's existence checks.
    let batchChecks: BatchCheckLimits
    /// The responses of the upload page; nil if it is not served.
    private(set) var page: PageResponses?
    /// Makes and opens share links; nil if no keys are configured.
    let shares: ShareLinks?
    /// Details for developers; nil without the embedded storage.
    let development: Development?
    /// Warnings about settings that are valid but probably unintended.
    package let warnings: [String]

    /// Loads keys in files, and takes the credentials and fetched keys from pools.
    ///
    /// - Parameters:
    ///   - credentials: the process's pool, which keeps fetched credentials across reloads.
    ///   - issuerKeys: the process's pool of fetched keys.
    ///   - read: returns the content of a file.
    /// - Throws: the setting that could not be loaded, and why.
    package init(
        _ configuration: ServiceConfiguration, credentials: CredentialPool, issuerKeys: IssuerKeyPool,
        read: (String) throws -> [UInt8]
    ) throws {
        var warnings = configuration.warnings.map(\.description)
        var warned: Set<CredentialSelection> = []
        stores = StoreTable(
            try configuration.stores.enumerated().map { index, store in
                let slots = try Self.slots(of: store, in: credentials)
                for role in CredentialRole.allCases {
                    if store.givenCredentials == nil, let warning = slots[role].value?.unknownExpirationWarning,
                        warned.insert(store.credentials[role]).inserted
                    {
                        warnings.append("store \(store.name): \(warning)")
                    }
                }
                return Store(
                    configuration: store, index: index, policyIndex: configuration.policy.index(ofStore: store.name),
                    slots: slots, minRemaining: configuration.aws.minRemaining)
            })
        self.configuration = configuration
        authenticator = try CallerAuthenticator(configuration.authentication, keys: issuerKeys, read: read)
        self.warnings = warnings + authenticator.warnings
        cors = configuration.allowedOrigins
        hosts = configuration.local.map { _ in configuration.allowedHosts }
        development = Development(configuration)
        batchChecks = BatchCheckLimits(configuration.existence, responseTimeout: configuration.server.timeouts.response)
        shares = try ShareLinks(configuration.shares, configuration.authentication, read: read)
        page =
            configuration.servesPage
            ? PageResponses(connectingTo: stores.origins, configuration, authenticator) : nil
    }

    /// The key ids of each token issuer whose keys are in a file.
    package var issuerKeyIDs: [String: Set<String>] {
        Dictionary(authenticator.fileKeyIDs.map { ($0.issuer, Set($0.keyIDs)) }) { first, _ in first }
    }

    /// Whether the route is available; the page and links must be configured.
    func offers(_ route: Route) -> Bool {
        switch route {
        case .link: stores.offerLinks
        case .share: shares != nil
        case .page: page != nil
        case .lfs, .lfsLocks: configuration.lfs != nil
        // `remoteStore` says whether the store offers it.
        case .iceberg: true
        case .presign, .batch, .permissions, .healthz, .readyz, .metrics, .openAPI, .asterisk: true
        case .other: false
        }
    }

    /// Returns a snapshot with the current credentials and the issuers' current keys; nil if they have not changed.
    func renewed() -> ServiceSnapshot? {
        var new = self
        (new.stores, new.authenticator) = (stores.withCurrentCredentials(), authenticator.withCurrentKeys())
        if new.stores.isSame(as: stores), new.authenticator === authenticator { return nil }
        new.page = page?.renewed(with: new.authenticator)
        return new
    }

    private static func slots(
        of store: StoreConfiguration, in pool: CredentialPool
    ) throws(CredentialFailure) -> PerRole<CurrentCredentials> {
        if let given = store.givenCredentials {
            // Never refreshed, so it needs no source.
            let source = SelectionSource(.chain, ChainedCredentialSource([]))
            return PerRole(both: CurrentCredentials(source, given, clock: ClockReading.now))
        }
        do {
            return try store.credentials.map { selection throws(CredentialFailure) in try pool.value(of: selection) }
        } catch {
            throw CredentialFailure(
                source: error.source, reason: "\(error.reason) (store \(store.name))", isAbsence: error.isAbsence)
        }
    }
}
