package import AccessRules
package import PresignService
package import Presigning
package import StorageCredentials

/// The values for what a batch line or a command line leaves out.
package struct SigningDefaults: Sendable {
    /// The bucket and its endpoint; nil when every line must name its own bucket.
    package var endpoint: S3EndpointOptions?
    /// The region for lines that name their own bucket, when `endpoint` is nil.
    package var region: String?
    /// Put before every key of the default bucket.
    package var prefix: [UInt8] = []
    /// The credentials of each role, where the environment or the configuration has any.
    package var credentials: PerRole<OfflineCredentials>
    /// The `expiresIn` of requests that name none, in seconds; nil takes the default of `expires`.
    package var expiresIn: Int64?
    /// The configuration's limits, which hold as they do for the service.
    package var expires = ExpiryLimits()
    /// The content type of uploads.
    package var contentType: String?
    /// The multipart upload that lines are about.
    package var uploadId: String?

    /// - Parameter expiresIn: seconds.
    package init(endpoint: S3EndpointOptions?, credentials: Credentials?, expiresIn: Int64? = nil) {
        self.endpoint = endpoint
        self.credentials = PerRole(both: OfflineCredentials(credentials))
        self.expiresIn = expiresIn
    }

    /// - Parameters:
    ///   - source: where the credentials come from.
    ///   - expiresIn: seconds.
    /// - Throws: `CredentialFailure` when the source is configured but broken.
    package init(
        endpoint: S3EndpointOptions?, source: any CredentialSource, expiresIn: Int64? = nil
    ) throws(CredentialFailure) {
        self.endpoint = endpoint
        credentials = PerRole(both: try OfflineCredentials(of: source))
        self.expiresIn = expiresIn
    }

    /// The defaults that a configured store gives.
    ///
    /// - Throws: `CredentialFailure` when the store's credentials are configured but broken.
    package init(
        store: StoreConfiguration, expires: ExpiryLimits, environment: @escaping @Sendable (String) -> String?
    ) throws(CredentialFailure) {
        endpoint = store.bucket.endpoint.options
        if let given = store.givenCredentials {
            credentials = PerRole(both: OfflineCredentials(given))
        } else {
            let read = try OfflineCredentials(of: store.credentials.read.source(environment: environment))
            // One source is asked once, whatever roles it has.
            let isOneSource = store.credentials.read == store.credentials.write
            credentials = PerRole(
                read: read,
                write: isOneSource
                    ? read : try OfflineCredentials(of: store.credentials.write.source(environment: environment)))
        }
        self.expires = expires
        prefix = store.prefix
    }

    /// Returns how long a URL lives, in seconds.
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
