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

    /// Collects the parts.
    package init(directory: String, buckets: [Bucket], origins: [String]) {
        self.directory = directory
        self.buckets = buckets
        self.origins = origins
    }
}
