package import Presigning

/// What a line or a command line leaves out: the bucket and its endpoint, and the credentials.
package struct SigningDefaults: Sendable {
    /// The bucket; nil when every line must name its own.
    package var endpoint: S3EndpointOptions?
    /// Put before every key of the default bucket.
    package var prefix: [UInt8] = []
    /// What signs; nil when every line must bring its own.
    package var credentials: OfflineCredentials
    /// Seconds.
    package var expiresIn: Int

    /// - Parameter expiresIn: seconds.
    package init(endpoint: S3EndpointOptions?, credentials: Credentials?, expiresIn: Int = 18_000) {
        self.endpoint = endpoint
        self.credentials = OfflineCredentials(credentials)
        self.expiresIn = expiresIn
    }

    /// - Parameters:
    ///   - source: where the credentials come from.
    ///   - expiresIn: seconds.
    /// - Throws: `CredentialFailure` when the source is configured but broken.
    package init(
        endpoint: S3EndpointOptions?, source: any CredentialSource, expiresIn: Int = 18_000
    ) throws(CredentialFailure) {
        self.endpoint = endpoint
        credentials = try OfflineCredentials(of: source)
        self.expiresIn = expiresIn
    }

    /// The defaults that a configured store gives.
    ///
    /// - Throws: `CredentialFailure` when the store's credentials are configured but broken.
    package init(
        store: StoreConfiguration, expires: ExpiryLimits, environment: @escaping @Sendable (String) -> String?
    ) throws(CredentialFailure) {
        try self.init(
            endpoint: store.bucket.endpoint.options, source: store.credentials.source(environment: environment),
            expiresIn: expires.default)
        prefix = store.prefix
    }
}
