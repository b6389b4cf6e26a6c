/// What a local store serves, and from where.
package struct LocalStoreConfiguration: Sendable {
    /// A bucket; it needs no making, and cannot be made or removed by requests.
    package struct Bucket: Sendable, Equatable {
        /// As it stands in a path: no slash.
        package var name: String
        /// The region its URLs must be signed for.
        package var region: String

        /// Collects the two.
        package init(name: String, region: String) {
            self.name = name
            self.region = region
        }
    }

    /// Everything is kept in it. It is made when it is missing; its parent must be there.
    package var directory: String
    /// Every name once.
    package var buckets: [Bucket]
    /// The web origins that may read answers: exact ones, or `*`.
    package var origins: [String]
    /// Called with one line for every answer of 500 or above, and for whatever could not be tidied up.
    ///
    /// The line gives the request's id, its method, its path as sent (bucket and key, percent-encoded, so without
    /// control characters), S3's code and the reason; never a query, a signature or a credential. It is called from any
    /// thread, the loops' among them, and must not wait.
    package var report: @Sendable (String) -> Void = { _ in }

    /// Collects the parts.
    package init(directory: String, buckets: [Bucket], origins: [String]) {
        self.directory = directory
        self.buckets = buckets
        self.origins = origins
    }
}
