package import Presigning

extension PresignRequest {
    /// Returns the task that signs the request; nil for an HTML form, which has no URL.
    ///
    /// - Parameters:
    ///   - prefix: the store's prefix, which precedes every key.
    ///   - expiresIn: seconds.
    ///   - window: seconds; 0 for none.
    package func task(
        prefix: [UInt8], in bucket: S3Bucket, expiresIn: Int, window: Int, validateObjectExistence: Bool = false
    ) -> AWSS3StorageGetURLTask? {
        // An empty path stays empty, so that signing reports it.
        let key = prefix.isEmpty || (path.isEmpty && !hasPrefix) ? path : prefix + path
        let operation = AWSS3SigningOperation(
            operation, partNumber: Int(self.partNumber ?? 0), uploadId: self.uploadId ?? "",
            prefix: hasPrefix ? String(decoding: key, as: UTF8.self) : "", encodesNames: self.encodesNames ?? true)
        return operation.map { operation in
            AWSS3StorageGetURLTask(
                operation, key: StoragePath(bytes: hasPrefix ? [] : key), in: bucket, expiresIn: expiresIn,
                contentType: contentType, headers: headers, query: hasPrefix ? listingQuery(prefix) : objectQuery,
                validateObjectExistence: validateObjectExistence, useAccelerateEndpoint: useAccelerateEndpoint,
                window: window)
        }
    }

    /// The signed headers other than the content type.
    package var headers: [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        if let contentLength, let header = traits.length {
            headers.append((header.rawValue, String(contentLength)))
        }
        if let checksumSHA256 { headers.append((ChecksumAlgorithm.sha256.header, checksumSHA256)) }
        if let ifNoneMatch { headers.append(("if-none-match", ifNoneMatch)) }
        if hasRareFields {
            if let checksumAlgorithm = self.checksumAlgorithm {
                headers.append(("x-amz-checksum-algorithm", checksumAlgorithm))
            }
            if let checksumMode = self.checksumMode { headers.append(("x-amz-checksum-mode", checksumMode)) }
            headers += self.neutralHeaders ?? []
        }
        if !settings.isEmpty { headers += UploadSetting.headers(of: settings) }
        return headers
    }

    /// The query parameters of an object's URL other than those of the operation.
    package var objectQuery: [(name: String, value: String)] {
        var query: [(name: String, value: String)] = []
        for (override, value) in responseOverrides {
            query.append((override.parameter, String(decoding: value, as: UTF8.self)))
        }
        if let versionId = self.versionId { query.append(("versionId", versionId)) }
        return query
    }

    /// The query parameters of a listing other than those of the operation.
    ///
    /// - Parameter prefix: the store's prefix, which precedes `start-after`.
    private func listingQuery(_ prefix: [UInt8]) -> [(name: String, value: String)] {
        let query = [
            ("delimiter", self.delimiter), ("max-keys", self.maxKeys.map { String($0) }),
            ("continuation-token", self.continuationToken),
            ("start-after", self.startAfter.map { String(decoding: prefix, as: UTF8.self) + $0 }),
        ]
        return query.compactMap { name, value in value.map { (name, $0) } }
    }
}
