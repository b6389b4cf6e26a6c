package import AccessRules
package import CallerAuthentication
import ConfigurationReading
package import HTTP1
import HTTPServer
import Presigning
package import StorageCredentials
package import UploadPage

/// All that one reading of the configuration decides, and the credentials found then: immutable, so that a request which
/// takes one snapshot never sees parts of two configurations.
package final class ServiceSnapshot: Sendable {
    package let stores: StoreTable
    package let policy: AccessPolicy
    package let authenticator: CallerAuthenticator
    package let limits: LimitsConfiguration
    package let cors: CORSPolicy
    /// How large bodies may be.
    let bodies: BodyLimits
    /// How a batch asks the storage.
    let batchChecks: BatchCheckLimits
    private let pagePolicy: String?
    /// Whether a 403 says by which rule: on a developer's machine only, with the embedded storage.
    let explainsDenials: Bool
    /// Which edition of the configuration it was made from.
    package let revision: String
    /// What is allowed but hardly meant, found while assembling.
    package let warnings: [String]

    /// Assembles the parts, with the credentials that variables and files give; others are fetched later.
    ///
    /// - Parameters:
    ///   - environment: reads one environment variable.
    ///   - read: gives the content of a file.
    /// - Throws: what could not be loaded, and why.
    package convenience init(
        _ configuration: ServiceConfiguration, environment: @escaping @Sendable (String) -> String?,
        read: (String) throws -> [UInt8]
    ) throws {
        try self.init(configuration, credentials: CredentialPool(environment: environment), read: read)
    }

    /// Assembles the parts, with the credentials that there are.
    ///
    /// - Parameters:
    ///   - credentials: the process's own, which keeps those that were fetched before.
    ///   - read: gives the content of a file.
    /// - Throws: what could not be loaded, and why.
    package init(
        _ configuration: ServiceConfiguration, credentials: CredentialPool, read: (String) throws -> [UInt8]
    ) throws {
        var warnings = configuration.warnings.map(\.description)
        var warned: Set<CredentialSelection> = []
        stores = StoreTable(
            try configuration.stores.map { store in
                let slots = try Self.slots(of: store, in: credentials)
                for role in CredentialRole.allCases {
                    if store.givenCredentials == nil, let warning = slots[role].credentials?.unknownExpirationWarning,
                        warned.insert(store.credentials[role]).inserted
                    {
                        warnings.append("store \(store.name): \(warning)")
                    }
                }
                return Store(configuration: store, slots: slots, minRemaining: configuration.aws.minRemaining)
            })
        revision = configuration.revision
        policy = configuration.policy
        authenticator = try CallerAuthenticator(configuration.authentication, read: read)
        self.warnings = warnings + authenticator.warnings
        limits = configuration.limits
        cors = configuration.cors
        bodies = configuration.bodies
        explainsDenials = configuration.local != nil
        batchChecks = BatchCheckLimits(configuration.existence, answer: configuration.server.timeouts.answer)
        pagePolicy =
            configuration.servesPage ? UploadPage.contentSecurityPolicy(connectingTo: self.stores.origins) : nil
    }

    /// The names of the keys of each issuer of tokens.
    package var issuerKeyIDs: [String: Set<String>] {
        Dictionary(authenticator.issuerKeyIDs.map { ($0.issuer, Set($0.keyIDs)) }) { first, _ in first }
    }

    /// Whether a route is there: the page and the links are for whoever configures them.
    func offers(_ route: Route) -> Bool {
        switch route {
        case .link: stores.offerLinks
        case .page: pagePolicy != nil
        case .presign, .batch, .healthz, .readyz, .metrics, .asterisk: true
        case .other: false
        }
    }

    /// A file of the upload page.
    package func response(with asset: UploadPage.Asset) -> HTTPResponse {
        var response = HTTPResponse(status: 200, body: asset.bytes)
        response.add("content-type", asset.contentType)
        response.add("x-content-type-options", "nosniff")
        response.add("referrer-policy", "no-referrer")
        if asset.isPage, let pagePolicy { response.add("content-security-policy", pagePolicy) }
        return response
    }

    /// The same with the credentials that are in the slots now; itself when they are those it has.
    func withCredentialsOfNow() -> ServiceSnapshot {
        let stores = self.stores.withCredentialsOfNow()
        return stores.isSame(as: self.stores) ? self : ServiceSnapshot(self, stores)
    }

    private init(_ other: ServiceSnapshot, _ stores: StoreTable) {
        self.stores = stores
        policy = other.policy
        authenticator = other.authenticator
        limits = other.limits
        cors = other.cors
        bodies = other.bodies
        explainsDenials = other.explainsDenials
        batchChecks = other.batchChecks
        pagePolicy = other.pagePolicy
        revision = other.revision
        warnings = other.warnings
    }

    private static func slots(
        of store: StoreConfiguration, in supply: CredentialPool
    ) throws(CredentialFailure) -> PerRole<CurrentCredentials> {
        if let given = store.givenCredentials { return PerRole(both: CurrentCredentials(given)) }
        do {
            return try store.credentials.map { selection throws(CredentialFailure) in try supply.slot(for: selection) }
        } catch {
            throw CredentialFailure(
                source: error.source, reason: "\(error.reason) (store \(store.name))", isAbsence: error.isAbsence)
        }
    }
}
