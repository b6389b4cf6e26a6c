import AccessRules
import Presigning
import Text

extension PresignPlan {
    /// The page sizes that S3 returns (S3 API Reference, ListObjectsV2).
    fileprivate static let possibleMaxKeys: ClosedRange<Int64> = 1...1000
    /// S3's tokens are shorter; longer ones would not fit into a request line.
    fileprivate static let maximumTokenLength = 2048

    /// Returns the parameters of a listing other than those of the operation.
    static func listingQuery(of fields: PresignFields) -> [(name: String, value: String)] {
        let query = [
            ("delimiter", fields[.delimiter]), ("max-keys", fields.maxKeys.map(String.init)),
            ("continuation-token", fields[.continuationToken]), ("start-after", fields[.startAfter]),
        ]
        return query.compactMap { name, value in value.map { (name, $0) } }
    }

    /// Returns the task that signs a listing, with the store's prefix before the prefix and `start-after`.
    ///
    /// - Parameter prefix: the full prefix.
    func listingTask(
        _ fields: PresignFields, prefix: StoragePath, in bucket: S3Bucket, expiresIn: Int
    ) -> AWSS3StorageGetURLTask {
        let storePrefix = StoragePath(bytes: prefix.bytes.dropLast(fields.path.count)).text
        return AWSS3StorageGetURLTask(
            .listObjectsV2(prefix: prefix.text), key: StoragePath(bytes: []), in: bucket, expiresIn: expiresIn,
            query: query.map { $0.name == "start-after" ? ($0.name, storePrefix + $0.value) : $0 },
            useAccelerateEndpoint: fields.useAccelerateEndpoint)
    }
}

extension [FieldFailure] {
    /// Checks the fields of a listing.
    mutating func checkListing(of fields: PresignFields) {
        if fields.method ?? .get != .get { append(FieldFailure("method", "must be GET with `prefix`")) }
        if fields[.uploadId] != nil { append(FieldFailure("uploadId", "is not allowed with `prefix`")) }
        if fields.partNumber != nil { append(FieldFailure("partNumber", "is not allowed with `prefix`")) }
        if let refusal = ObjectKeyCheck.refusal(ofPrefix: fields.path) {
            append(FieldFailure("prefix", "\(refusal.description). \(refusal.recoverySuggestion)"))
        }
        if let delimiter = fields[.delimiter], !delimiter.utf8.elementsEqual("/".utf8) {
            append(FieldFailure("delimiter", "must be \"/\""))
        }
        if let maxKeys = fields.maxKeys, !PresignPlan.possibleMaxKeys.contains(maxKeys) {
            append(FieldFailure("maxKeys", "is \(maxKeys); must be 1 to 1000"))
        }
        let limits: [(PresignFieldName, Int)] = [
            (.continuationToken, PresignPlan.maximumTokenLength), (.startAfter, ObjectKeyCheck.maximumLength),
        ]
        for (name, limit) in limits {
            guard let text = fields[name]?.utf8 else { continue }
            if !(1...limit ~= text.count) || text.contains(where: ASCII.isControl) {
                append(FieldFailure(name.rawValue, "must have 1 to \(limit) bytes and no control characters"))
            }
        }
    }
}
