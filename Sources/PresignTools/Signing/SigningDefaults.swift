package import AccessRules
package import PresignService
package import Presigning
package import Requests
package import StorageCredentials

/// Where to sign and with which credentials, and the values of fields that a request leaves out.
package struct SigningDefaults: Sendable {
    /// The bucket and its endpoint; nil if none is named.
    package var endpoint: S3EndpointOptions?
    /// The service at the endpoint, if its limits are known.
    let storage: KnownProvider?
    /// Prepended to every key.
    package var prefix: [UInt8] = []
    /// The length in seconds of the windows in which a download's URL stays the same; 0 for none.
    package var window = 0
    /// The credentials of each role.
    package var credentials: PerRole<OfflineCredentials>
    /// Whether they come from the sources that the AWS SDKs use.
    package private(set) var usesChain = false
    /// The `expiresIn` of requests without one, in seconds; nil for the default of `expires`.
    package var expiresIn: Int64?
    /// The limits of `expiresIn`, the same as for the service.
    package var expires = ExpiryLimits()
    /// The content type of uploads.
    package var contentType: String?
    /// The id of the multipart upload to sign for.
    package var uploadId: String?

    /// Creates defaults with fixed credentials.
    ///
    /// - Parameter expiresIn: seconds.
    package init(endpoint: S3EndpointOptions?, credentials: Credentials?, expiresIn: Int64? = nil) {
        self.endpoint = endpoint
        storage = endpoint.flatMap { KnownProvider($0) }
        self.credentials = PerRole(both: OfflineCredentials(credentials))
        self.expiresIn = expiresIn
    }

    /// Creates defaults with credentials from the sources that the AWS SDKs use.
    ///
    /// - Throws: `CredentialFailure` if a source is configured but invalid.
    package init(
        endpoint: S3EndpointOptions?, environment: @escaping @Sendable (String) -> String?
    ) throws(CredentialFailure) {
        self.endpoint = endpoint
        storage = endpoint.flatMap { KnownProvider($0) }
        usesChain = true
        credentials = PerRole(
            both: try OfflineCredentials(of: CredentialSelection.chain.source(environment: environment)))
    }

    /// Creates the defaults of a configured store.
    ///
    /// - Throws: `CredentialFailure` if the store's credentials are configured but invalid.
    package init(
        store: StoreConfiguration, of configuration: ServiceConfiguration,
        environment: @escaping @Sendable (String) -> String?
    ) throws(CredentialFailure) {
        endpoint = store.bucket.endpoint.options
        storage = store.storage
        if let given = store.givenCredentials {
            credentials = PerRole(both: OfflineCredentials(given))
        } else {
            usesChain = CredentialRole.allCases.contains { store.credentials[$0] == .chain }
            let read = try OfflineCredentials(of: store.credentials.read.source(environment: environment))
            // A source that serves both roles is fetched only once.
            let isOneSource = store.credentials.read == store.credentials.write
            credentials = PerRole(
                read: read,
                write: isOneSource
                    ? read : try OfflineCredentials(of: store.credentials.write.source(environment: environment)))
        }
        expires = configuration.expires
        prefix = store.prefix
        window = store.window
    }

    /// Returns the credentials of each role; nil if none is configured. Blocks while they are fetched.
    package func fetchedCredentials() throws(FieldFailure) -> PerRole<Credentials>? {
        guard let read = try credentials.read.value(), let write = try credentials.write.value() else { return nil }
        return PerRole(read: read, write: write)
    }

    /// Warnings about the credentials that were used.
    package var warnings: [String] { Set(CredentialRole.allCases.compactMap { credentials[$0].warning }).sorted() }

    /// Returns the lifetime of a URL, in seconds.
    ///
    /// - Parameter requested: the request's `expiresIn`, in seconds.
    /// - Throws: `FieldFailure` for `expiresIn`.
    func lifetime(of requested: Int64?) throws(FieldFailure) -> Int {
        do throws(ExpiryRefusal) {
            return Int(try expires.lifetime(of: requested ?? expiresIn))
        } catch {
            throw FieldFailure("expiresIn", error.description)
        }
    }
}
