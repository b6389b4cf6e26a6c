package import HTTPServing
import Presigning
import Synchronization
import SystemInterface
import UploadPage

/// The service: one immutable assembly of configuration, credentials and rules that every loop's handler shares.
package final class Service: Sendable {
    let stores: StoreTable
    let policy: AccessPolicy
    let authenticator: CallerAuthenticator
    let cors: CORSPolicy
    let expires: ExpiryLimits
    let bodyLimit: Int
    let existence: ExistenceCheck
    private let pagePolicy: String?
    /// What every answer has.
    let commonFields = HTTPFields([("cache-control", "no-store")])
    /// What an answer in JSON has; here, as reading a global costs more than writing the field.
    let jsonFields = HTTPFields([("content-type", "application/json")])
    let requestLog: LogSink?
    /// What this process's request ids begin with.
    let requestIDStart: String
    private let stopping = Atomic(false)
    /// What is allowed but hardly meant, found while assembling.
    package let warnings: [String]

    /// Loads the credentials and assembles the parts.
    ///
    /// - Parameters:
    ///   - environment: reads one environment variable.
    ///   - existence: sends the HEAD of `validateObjectExistence`.
    ///   - requestLog: takes one line per request; nil logs none.
    ///   - requestIDStart: unique to the process; what its request ids begin with.
    package init(
        _ configuration: ServiceConfiguration, environment: @escaping @Sendable (String) -> String?,
        existence: ExistenceCheck, requestLog: LogSink?, requestIDStart: String
    ) throws(CredentialFailure) {
        var loaded: [CredentialSelection: Credentials] = [:]
        var stores: [Store] = []
        var warnings: [String] = []
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
        self.warnings = warnings
        policy = configuration.policy
        authenticator = CallerAuthenticator(configuration.authentication)
        cors = configuration.cors
        expires = configuration.expires
        bodyLimit = configuration.server.limits.bodyBytes
        pagePolicy =
            configuration.servesPage ? UploadPage.contentSecurityPolicy(connectingTo: self.stores.origins) : nil
        self.existence = existence
        self.requestLog = requestLog
        self.requestIDStart = requestIDStart
    }

    /// A handler for one event loop.
    package func makeHandler(loop: Int) -> any HTTPHandler {
        ServiceHandler(self, loop: loop)
    }

    /// `/readyz` is false from here on.
    package func beginShutdown() {
        stopping.store(true, ordering: .relaxed)
    }

    /// Whether a route is there: the page and the links are for whoever configures them.
    func offers(_ route: Route) -> Bool {
        switch route {
        case .link: stores.offerLinks
        case .page: pagePolicy != nil
        case .presign, .healthz, .readyz, .server: true
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

    /// True while a store has credentials that still live and the service is not about to stop.
    func isReady(at time: SigningTime) -> Bool {
        !stopping.load(ordering: .relaxed) && stores.haveLivingCredentials(at: time)
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
