package import HTTP1

/// The directory, buckets and web origins of a local store.
package struct LocalStoreConfiguration: Sendable {
    /// A bucket. All configured buckets exist; requests cannot create or remove one.
    package struct Bucket: Sendable, Equatable {
        /// The name as in a path, without slashes.
        package var name: String
        /// The region that its URLs must be signed for.
        package var region: String

        /// Creates a bucket.
        package init(name: String, region: String) {
            self.name = name
            self.region = region
        }
    }

    /// The path of the directory. It is created if it is missing, but its parent must exist.
    package var directory: String
    /// The buckets, with distinct names.
    package var buckets: [Bucket]
    /// The web origins whose pages may read responses.
    package var cors: CORSPolicy
    /// The hosts that requests can name.
    package var hosts = AllowedHosts()
    /// Called with one line for every response with a status of 500 or above, and for every failed cleanup.
    ///
    /// The line for a request contains its id, method, path as sent (percent-encoded, so without control characters),
    /// S3's error code and the reason. No line contains a query, a signature or a credential. It is called on any
    /// thread, including the event loops', and must not block.
    package var report: @Sendable (String) -> Void = { _ in }

    /// Creates a configuration.
    package init(directory: String, buckets: [Bucket], cors: CORSPolicy = .none) {
        self.directory = directory
        self.buckets = buckets
        self.cors = cors
    }
}

/// Why a local store cannot be opened. One line that names the path and the fix and contains no secret.
package struct LocalStoreError: Error, CustomStringConvertible, Sendable {
    /// The message for the operator.
    package let description: String
}
