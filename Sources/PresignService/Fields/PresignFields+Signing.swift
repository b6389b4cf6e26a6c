package import AccessRules
package import DataFormats
package import Presigning

extension PresignFields {
    /// Returns the task that signs the request.
    ///
    /// - Parameters:
    ///   - operation: the operation that the fields ask for.
    ///   - prefix: the store's prefix, which precedes every key.
    ///   - expiresIn: seconds.
    ///   - window: seconds; 0 for none.
    ///   - allowance: what the deciding rule adds; nil without rules.
    package func task(
        _ operation: AWSS3SigningOperation, prefix: [UInt8], in bucket: S3Bucket, expiresIn: Int, window: Int,
        adding allowance: AccessDecision.Allowance? = nil, validateObjectExistence: Bool = false
    ) -> AWSS3StorageGetURLTask {
        // An empty path stays empty, so that signing reports it.
        let key = prefix.isEmpty || (path.isEmpty && !isListing) ? path : prefix + path
        if isListing {
            return AWSS3StorageGetURLTask(
                .listObjectsV2(prefix: String(decoding: key, as: UTF8.self)), key: StoragePath(bytes: []), in: bucket,
                expiresIn: expiresIn, query: listingQuery(prefix: String(decoding: prefix, as: UTF8.self)),
                useAccelerateEndpoint: useAccelerateEndpoint)
        }
        return AWSS3StorageGetURLTask(
            operation, key: StoragePath(bytes: key), in: bucket, expiresIn: expiresIn, contentType: contentType,
            headers: headers(of: operation, adding: allowance), query: objectQuery,
            validateObjectExistence: validateObjectExistence, useAccelerateEndpoint: useAccelerateEndpoint,
            window: window)
    }

    /// The signed headers other than the content type.
    package func headers(
        of operation: AWSS3SigningOperation, adding allowance: AccessDecision.Allowance? = nil
    ) -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        if let contentLength, let name = operation.traits.lengthHeader { headers.append((name, String(contentLength))) }
        if let checksumSHA256 { headers.append(("x-amz-checksum-sha256", checksumSHA256)) }
        if let ifNoneMatch {
            headers.append(("if-none-match", ifNoneMatch))
        } else if allowance?.requiresIfNoneMatch ?? false {
            headers.append(("if-none-match", "*"))
        }
        if let algorithm = checksumAlgorithm ?? allowance?.checksumAlgorithm?.name {
            headers.append(("x-amz-checksum-algorithm", algorithm))
        }
        if let checksumMode { headers.append(("x-amz-checksum-mode", checksumMode)) }
        let added = allowance?.settings ?? []
        if !settings.isEmpty || !added.isEmpty { headers += UploadSetting.headers(of: settings + added) }
        return headers
    }

    /// The query parameters of an object's URL other than those of the operation.
    package var objectQuery: [(name: String, value: String)] {
        var query: [(name: String, value: String)] = []
        for (override, value) in responseOverrides { query.append((override.parameter, value)) }
        if let versionId { query.append(("versionId", versionId)) }
        return query
    }

    /// The query parameters of a listing other than those of the operation.
    ///
    /// - Parameter prefix: the store's prefix, which precedes `start-after`.
    private func listingQuery(prefix: String) -> [(name: String, value: String)] {
        let query = [
            ("delimiter", delimiter), ("max-keys", maxKeys.map { String($0) }),
            ("continuation-token", continuationToken), ("start-after", startAfter.map { prefix + $0 }),
        ]
        return query.compactMap { name, value in value.map { (name, $0) } }
    }
}

/// The name of a metadata entry or tag, and its value if that is a string.
package typealias UploadSettingEntry = (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>?)

extension UploadSetting {
    /// - Throws: `FieldFailure` for an invalid setting.
    package init(_ name: Name, entry: [UInt8]? = nil, checking value: [UInt8]) throws(FieldFailure) {
        do throws(InvalidUploadSetting) {
            try self.init(name, entry: entry, value: value)
        } catch {
            throw FieldFailure(error)
        }
    }
}

extension [UploadSetting] {
    /// Creates metadata or tags from the entries of a JSON object.
    ///
    /// - Parameter entries: nil for another type of value.
    /// - Throws: `FieldFailure` for another type, and for the first invalid entry.
    package init(_ name: UploadSetting.Name, entries: [UploadSettingEntry]?) throws(FieldFailure) {
        guard let entries else {
            throw FieldFailure(name.rawValue, "must be an object of strings, such as {\"project\": \"alpha\"}")
        }
        self = []
        reserveCapacity(entries.count)
        for entry in entries {
            guard let value = entry.value else {
                let entry = String(decoding: entry.name.prefix(64), as: UTF8.self)
                throw FieldFailure(name.rawValue, entry: entry, "must be a string")
            }
            append(try UploadSetting(name, entry: [UInt8](entry.name), checking: [UInt8](value)))
        }
    }
}

extension JSONValue {
    /// The entries of an object of upload settings; nil for another type of value.
    package var settingEntries: [UploadSettingEntry]? {
        guard case .object(let members) = self else { return nil }
        return members.map { ($0.name[...], $0.value.string?[...]) }
    }
}

extension FieldFailure {
    init(_ flaw: InvalidUploadSetting) { self.init(flaw.name.rawValue, entry: Self.text(flaw.entry), flaw.reason) }

    /// A limit of the rules that a request does not meet.
    init(_ constraint: UnmetConstraint) {
        self.init(constraint.requestField, entry: Self.text(constraint.entry), constraint.description)
    }

    /// An entry's name, shortened because the client chose it.
    private static func text(_ entry: [UInt8]?) -> String? {
        entry.map { String(decoding: $0.prefix(128), as: UTF8.self) }
    }
}
