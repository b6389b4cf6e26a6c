import Foundation

extension StorageClient {
    /// Lists one page of the objects whose paths begin with a prefix, which is empty or ends in a slash.
    func list(_ prefix: String, _ options: StorageListRequest.Options) async throws -> StorageListResult {
        var request = SignRequest(method: "GET")
        request.prefix = prefix
        request.maxKeys = options.pageSize
        request.continuationToken = options.nextToken
        if case .exclude(let delimiter) = options.subpathStrategy { request.delimiter = delimiter }
        return try await perform(request, waiting: .limited) { response in
            guard let root = XMLElement(response.body), root.name == "ListBucketResult" else {
                throw StorageFailure.unexpected("the storage's response is not a listing", status: response.status)
            }
            return StorageListResult(root, prefix: prefix)
        }
    }
}

extension StorageListResult {
    /// Reads the response to ListObjectsV2.
    ///
    /// - Parameter prefix: The prefix as requested. A store can have a prefix of its own before it, which is not a part
    ///   of the paths at the service.
    init(_ root: XMLElement, prefix: String) {
        // Some storages ignore the request to encode the keys.
        let isEncoded = root["EncodingType"] == "url"
        let decode = { (text: String) in isEncoded ? Self.decoded(text) : text }
        let own = max(0, decode(root["Prefix"] ?? "").utf8.count - prefix.utf8.count)
        let path = { (key: String) in String(decoding: decode(key).utf8.dropFirst(own), as: UTF8.self) }
        items = root.all("Contents").map { item in
            Item(
                path: path(item["Key"] ?? ""), size: item["Size"].flatMap { Int($0) }, eTag: item["ETag"],
                lastModified: item["LastModified"].flatMap(Self.date))
        }
        excludedSubpaths = root.all("CommonPrefixes").map { path($0["Prefix"] ?? "") }
        nextToken = root["NextContinuationToken"].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func decoded(_ text: String) -> String {
        text.replacing("+", with: " ").removingPercentEncoding ?? text
    }

    /// Reads an ISO 8601 time with or without fractions of a second.
    private static func date(_ text: String) -> Date? {
        let fractional = try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        return fractional ?? (try? Date(text, strategy: Date.ISO8601FormatStyle()))
    }
}
