import Foundation
import Presigning
import Testing

@testable import SigningVectors

/// The bucket of one server for one case: with its own prefix, and URLs signed offline.
struct ContractBucket: Sendable {
    let storage: StorageServer
    let prefix = "contract-\(UUID().uuidString)/"

    /// Sends the case's requests. Returns the deviations of the responses, each with the number of its step.
    func differences(in test: StorageCase) async throws -> [String] {
        var values = ["{port}": try port, "{origin}": storage.origin ?? "", "{prefix}": prefix]
        var found: [String] = []
        for (index, step) in test.steps.enumerated() {
            let fill = { (text: String) in values.reduce(text) { $0.replacing($1.key, with: $1.value) } }
            let response = try await send(step.request, try url(step.request, fill), fill)
            values["{modified}"] = response.headers["last-modified"] ?? values["{modified}"]
            values["{token}"] = response.first("NextContinuationToken") ?? values["{token}"]
            values["{upload}"] = response.first("UploadId") ?? values["{upload}"]
            found += step.response.differences(from: response, fill: fill).map { "\(index + 1): \($0)" }
        }
        return found
    }

    private var port: String {
        get throws { "\(try #require(URL(string: try storage.setting("ENDPOINT"))?.port))" }
    }

    private func send(_ request: StorageRequest, _ url: String, _ fill: (String) -> String) async throws
        -> HTTP.Response
    {
        let headers = request.signed.merging(request.headers) { _, sent in sent }.mapValues(fill)
        var address = url
        for (old, new) in request.changes {
            try #require(address.contains(old), "no \(old) to replace in \(address)")
            address = address.replacing(old, with: fill(new))
        }
        if request.bare { address = String(address.prefix { $0 != "?" }) }
        let method = request.sentMethod ?? request.method
        guard let timeout = request.timeout else {
            return try await HTTP.send(method, address, headers: headers, body: request.body)
        }
        return try await Curl.send(method, address, headers: headers, body: request.body, timeout: timeout)
    }

    /// Signs in the wire format of the signing vectors, which has S3's names for all parameters.
    private func url(_ request: StorageRequest, _ fill: (String) -> String) throws -> String {
        struct Line: Decodable { let url: String?, error: String? }
        var signer = VectorSigner()
        let line = Array(try JSONSerialization.data(withJSONObject: try line(request, fill)))
        let now = SigningTime(secondsSince1970: Int64(Date().timeIntervalSince1970))
        let response = try JSONDecoder().decode(Line.self, from: Data(signer.response(to: line[...], at: now)))
        return try #require(response.url, "\(response.error ?? "no url")")
    }

    /// Headers and query parameters by their names in the S3 API: `x-amz-checksum-sha1` is `ChecksumSHA1`.
    private static func parameters(_ wire: [String: String]) -> [String: Any] {
        var parameters: [String: Any] = [:]
        var metadata: [String: String] = [:]
        for (name, value) in wire {
            if name.hasPrefix("x-amz-meta-") {
                metadata[String(name.dropFirst("x-amz-meta-".count))] = value
                continue
            }
            let words = name.replacing("x-amz-", with: "").split(separator: "-").map(String.init)
            let parameter = words.map { $0.contains(/\d/) ? $0.uppercased() : $0.capitalized }.joined()
            switch parameter {
            case "ContentLength", "MaxKeys", "MaxParts", "PartNumberMarker": parameters[parameter] = Int(value)
            case "MpObjectSize": parameters["MpuObjectSize"] = Int(value)
            case "Partnumber": parameters["PartNumber"] = Int(value)
            case "Expires", "ResponseExpires":
                let format = DateFormatter()
                format.locale = Locale(identifier: "en_US_POSIX")
                format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
                parameters[parameter] = format.date(from: value)?.formatted(.iso8601) ?? value
            default: parameters[parameter] = value
            }
        }
        if !metadata.isEmpty { parameters["Metadata"] = metadata }
        return parameters
    }

    private func line(_ request: StorageRequest, _ fill: (String) -> String) throws -> [String: Any] {
        let date = Date(timeIntervalSinceNow: TimeInterval(-request.age))
        var line: [String: Any] = [
            "method": request.method, "key": prefix + request.key, "expiresIn": request.expiresIn,
            "date": date.formatted(.iso8601),
            "extra": Self.parameters(request.signed.merging(request.query) { $1 }.mapValues(fill)),
        ]
        if request.lists {
            line["prefix"] = line.removeValue(forKey: "key")
        }
        line["uploadId"] = request.uploadId.map(fill)
        line["partNumber"] = request.partNumber
        line["bucket"] = try request.signing["bucket"] ?? storage.setting("BUCKET")
        line["region"] = try request.signing["region"] ?? storage.setting("REGION")
        line["endpoint"] = try storage.setting("ENDPOINT")
        line["addressing"] = "path"
        line["credentials"] = [
            "accessKeyId": try request.signing["accessKeyId"] ?? storage.setting("ACCESS_KEY"),
            "secretAccessKey": try request.signing["secretAccessKey"] ?? storage.setting("SECRET"),
        ]
        return line
    }
}
