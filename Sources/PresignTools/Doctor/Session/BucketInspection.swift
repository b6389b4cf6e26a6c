import Presigning

/// A read-only request for a bucket's settings or uploads, or for the list of buckets. The service signs none of these;
/// `presign doctor` uses them to find what credentials allow and what an earlier run left.
package enum BucketInspection: Sendable {
    /// The buckets of the account (`ListBuckets`).
    case buckets
    /// The policy of the bucket (`GetBucketPolicy`).
    case policy
    /// The unfinished multipart uploads of keys with the prefix (`ListMultipartUploads`), at most 1000.
    case uploads(prefix: String)

    fileprivate var query: [(name: String, value: String)] {
        switch self {
        case .buckets: []
        case .policy: [("policy", "")]
        case .uploads(let prefix): [("uploads", ""), ("encoding-type", "url"), ("prefix", prefix)]
        }
    }
}

extension Presigner {
    /// Signs a GET request for an inspection, which is valid for `ExistenceCheckRules.lifetime` seconds.
    ///
    /// - Throws: `StorageError.authError` if the credentials have expired, and `StorageError.validation` if the bucket's
    ///   endpoint cannot be addressed without the bucket.
    mutating func url(
        for inspection: BucketInspection, of bucket: S3Bucket, with credentials: Credentials, at time: SigningTime
    ) throws(StorageError) -> PresignedURL {
        let endpoint = if case .buckets = inspection { try bucket.endpoint.withoutBucket() } else { bucket.endpoint }
        let task = AWSS3StorageGetURLTask(
            .getObject, key: StoragePath(bytes: []), in: bucket, expiresIn: ExistenceCheckRules.lifetime)
        return try url(
            for: task, (.none, SignedQuery(inspection.query)), at: endpoint, with: credentials, at: time)
    }
}
