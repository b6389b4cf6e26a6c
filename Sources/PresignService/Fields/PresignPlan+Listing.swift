import AccessRules
import Presigning
import Text

extension PresignPlan {
    /// The page sizes that S3 returns (S3 API Reference, ListObjectsV2).
    private static let possibleMaxKeys: ClosedRange<Int64> = 1...1000
    /// S3's tokens are shorter; longer ones would not fit into a request line.
    private static let maximumTokenLength = 2048

    /// Returns what is wrong with the fields of a listing.
    static func listingFailures(_ fields: PresignFields) -> [FieldFailure] {
        var failures: [FieldFailure] = []
        if fields.method ?? .get != .get { failures.append(FieldFailure("method", "must be GET with `prefix`")) }
        if fields[.uploadId] != nil { failures.append(FieldFailure("uploadId", "is not allowed with `prefix`")) }
        if fields.partNumber != nil { failures.append(FieldFailure("partNumber", "is not allowed with `prefix`")) }
        if let refusal = ObjectKeyCheck.refusal(ofPrefix: fields.path) {
            failures.append(FieldFailure("prefix", "\(refusal.description). \(refusal.recoverySuggestion)"))
        }
        if let delimiter = fields[.delimiter], !delimiter.utf8.elementsEqual("/".utf8) {
            failures.append(FieldFailure("delimiter", "must be \"/\""))
        }
        if let maxKeys = fields.maxKeys, !possibleMaxKeys.contains(maxKeys) {
            failures.append(FieldFailure("maxKeys", "is \(maxKeys); must be 1 to 1000"))
        }
        for (name, limit) in [(.continuationToken, maximumTokenLength), (.startAfter, ObjectKeyCheck.maximumLength)]
            as [(PresignFieldName, Int)]
        {
            guard let text = fields[name]?.utf8 else { continue }
            if !(1...limit ~= text.count) || text.contains(where: ASCII.isControl) {
                failures.append(
                    FieldFailure(name.rawValue, "must have 1 to \(limit) bytes and no control characters"))
            }
        }
        return failures
    }

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
