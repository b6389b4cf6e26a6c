import HTTPServing
import Presigning
import UploadPage

/// All that one reading of the configuration decides, and the credentials found then: immutable, so that a request which
/// takes one snapshot never sees parts of two configurations.
package final class ServiceSnapshot: Sendable {
    let stores: StoreTable
    let policy: AccessPolicy
    let authenticator: CallerAuthenticator
    let limits: LimitsConfiguration
    let cors: CORSPolicy
    let expires: ExpiryLimits
    /// How large bodies may be.
    let bodies: BodyLimits
    /// How a batch asks the storage.
    let batchChecks: BatchCheckLimits
    private let pagePolicy: String?
    /// Which edition of the configuration it was made from.
    package let revision: String
    /// What is allowed but hardly meant, found while assembling.
    package let warnings: [String]

    /// Loads the credentials and assembles the parts.
    ///
    /// - Parameters:
    ///   - environment: reads one environment variable.
    ///   - read: gives the content of a file.
    /// - Throws: what could not be loaded, and why.
    package init(
        _ configuration: ServiceConfiguration, environment: @escaping @Sendable (String) -> String?,
        read: (String) throws -> [UInt8]
    ) throws {
        var loaded: [CredentialSelection: Credentials] = [:]
        var stores: [Store] = []
        var warnings = configuration.warnings.map(\.description)
        for store in configuration.stores {
            let credentials: Credentials
            if let given = store.givenCredentials {
                credentials = given
            } else if let known = loaded[store.credentials] {
                credentials = known
            } else {
                credentials = try Self.credentials(of: store, environment: environment)
                loaded[store.credentials] = credentials
                if credentials.sessionToken != nil, credentials.expiration == nil {
                    warnings.append(
                        "store \(store.name): temporary credentials without AWS_CREDENTIAL_EXPIRATION;"
                            + " URLs may die sooner than they say")
                }
            }
            stores.append(Store(configuration: store, credentials: credentials))
        }
        self.stores = StoreTable(stores)
        revision = configuration.revision
        policy = configuration.policy
        authenticator = try CallerAuthenticator(configuration.authentication, read: read)
        self.warnings = warnings + authenticator.warnings
        limits = configuration.limits
        cors = configuration.cors
        expires = configuration.expires
        bodies = configuration.bodies
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
        case .presign, .batch, .healthz, .readyz, .metrics, .server: true
        }
    }

    /// A file of the upload page.
    func response(with asset: UploadPage.Asset) -> HTTPResponse {
        var response = HTTPResponse(status: 200, body: asset.bytes)
        response.add("content-type", asset.contentType)
        response.add("x-content-type-options", "nosniff")
        response.add("referrer-policy", "no-referrer")
        if asset.isPage, let pagePolicy { response.add("content-security-policy", pagePolicy) }
        return response
    }

    private static func credentials(
        of store: StoreConfiguration, environment: @escaping @Sendable (String) -> String?
    ) throws(CredentialFailure) -> Credentials {
        if let found = try store.credentials.source(environment: environment).credentials() { return found }
        throw CredentialFailure(
            source: "\(store.credentials)",
            reason: "none found for store \(store.name); set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a"
                + " profile of the shared files")
    }
}
