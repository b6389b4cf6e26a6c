import Foundation
import TestSupport
import Testing

/// The bucket of one server for one case: with its own prefix, and URLs signed offline by the command.
struct ContractBucket: Sendable {
    let storage: StorageServer
    let prefix = "contract-\(UUID().uuidString)/"

    /// Sends the case's requests. Returns the deviations of the responses, each with the number of its step.
    func differences(in test: StorageCase) async throws -> [String] {
        var values = ["{port}": try port, "{origin}": storage.origin ?? "", "{prefix}": prefix]
        var urls: [Int: String] = [:]
        var found: [String] = []
        for (index, step) in test.steps.enumerated() {
            let fill = { (text: String) in values.reduce(text) { $0.replacing($1.key, with: $1.value) } }
            if urls[index] == nil {
                let open = Array(test.steps.enumerated().dropFirst(index)).filter { offset, step in
                    let later = ([step.request.uploadId ?? ""] + step.request.query.values).map(fill)
                    return offset == index || !later.contains { $0.first == "{" }
                }
                let signed = try await sign(open.map { ($0.offset, $0.element.request) }, fill)
                urls.merge(signed) { old, _ in old }
            }
            let response = try await send(step.request, try #require(urls[index]), fill)
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
        -> Curl.Response
    {
        let headers = request.signed.merging(request.headers) { _, sent in sent }.mapValues(fill)
        var address = url
        for (old, new) in request.changes {
            try #require(address.contains(old), "no \(old) to replace in \(address)")
            address = address.replacing(old, with: fill(new))
        }
        if request.bare { address = String(address.prefix { $0 != "?" }) }
        return try await Curl.send(
            request.sentMethod ?? request.method, address, headers: headers, body: request.body,
            timeout: request.timeout)
    }

    private struct BatchLine: Decodable {
        let id: Int
        let url: String?
        let error: String?
    }

    /// Signs all requests with one run of `presign url --batch`.
    private func sign(
        _ requests: [(Int, StorageRequest)], _ fill: (String) -> String
    ) async throws -> [Int: String] {
        var lines = Data()
        for (id, request) in requests {
            lines += try JSONSerialization.data(withJSONObject: try batchLine(id, request, fill)) + Data("\n".utf8)
        }
        let run = try await Command.run(
            try #require(PresignProcess.binary),
            [
                "url", "--batch", "--bucket", try storage.setting("BUCKET"), "--region", try storage.setting("REGION"),
                "--endpoint", try storage.setting("ENDPOINT"), "--addressing", "path",
            ], environment: try storage.credentials, input: lines)
        try #require(run.status == 0, "\(run.errors)")
        var urls: [Int: String] = [:]
        for line in run.output.split(separator: "\n") {
            let response = try JSONDecoder().decode(BatchLine.self, from: Data(line.utf8))
            let url: String = try #require(response.url, "\(response.error ?? "no url")")
            urls[response.id] = url
        }
        return urls
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

    private func batchLine(_ id: Int, _ request: StorageRequest, _ fill: (String) -> String) throws -> [String: Any] {
        let date = Date(timeIntervalSinceNow: TimeInterval(-request.age))
        var line: [String: Any] = [
            "id": id, "method": request.method, "key": prefix + request.key, "expiresIn": request.expiresIn,
            "date": date.formatted(.iso8601),
            "extra": Self.parameters(request.signed.merging(request.query) { $1 }.mapValues(fill)),
        ]
        if request.lists {
            line["prefix"] = line.removeValue(forKey: "key")
        }
        line["uploadId"] = request.uploadId.map(fill)
        line["partNumber"] = request.partNumber
        line["region"] = request.signing["region"]
        if let bucket = request.signing["bucket"] {
            line["bucket"] = bucket
            line["endpoint"] = try storage.setting("ENDPOINT")
            line["addressing"] = "path"
        }
        if !request.signing.isEmpty {
            line["credentials"] = [
                "accessKeyId": try request.signing["accessKeyId"] ?? storage.setting("ACCESS_KEY"),
                "secretAccessKey": try request.signing["secretAccessKey"] ?? storage.setting("SECRET"),
            ]
        }
        return line
    }
}
