import Foundation

@testable import PresignClient

extension HTTPResponse {
    static func json(_ text: String, status: Int = 200) -> Self {
        Self(head: HTTPHead(status: status, headers: ["Content-Type": "application/json"]), body: Data(text.utf8))
    }

    static func storage(_ text: String = "", status: Int = 200, _ headers: [String: String] = [:]) -> Self {
        Self(head: HTTPHead(status: status, headers: headers), body: Data(text.utf8))
    }

    /// S3's error document.
    static func error(_ code: String, status: Int) -> Self {
        storage("<Error><Code>\(code)</Code><Message>\(code) happened</Message></Error>", status: status)
    }
}

/// A signed URL in the responses of `POST /presign` and `POST /presign/batch`.
struct Signed: Encodable {
    let url: String
    let method: String
    var headers: [String: String] = [:]
    let expiresIn = 60

    init(_ request: SignRequest) {
        var components = URLComponents()
        components.scheme = "https"
        components.host = "storage.test"
        components.path = "/bucket/\(request.path ?? "")"
        let query = [
            "uploadId": request.uploadId, "partNumber": request.partNumber.map { "\($0)" }, "prefix": request.prefix,
            "delimiter": request.delimiter, "continuationToken": request.continuationToken,
        ]
        let items = query.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
        if !items.isEmpty { components.queryItems = items }
        url = components.string ?? ""
        method = request.method
        let values = [
            "content-type": request.contentType, "if-none-match": request.ifNoneMatch,
            "x-amz-checksum-sha256": request.checksumSHA256, "content-length": request.contentLength.map { "\($0)" },
        ]
        headers = values.compactMapValues { $0 }
    }
}

extension World.Sent {
    init(_ request: HTTPRequest, size: Int64) {
        let components = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
        let items = (components?.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        self.init(
            method: request.method, path: String(request.url.path().dropFirst("/bucket/".count)),
            query: Dictionary(items) { first, _ in first },
            headers: Dictionary(request.headers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first },
            size: size)
    }
}

extension World.State {
    /// The storage's response to a request.
    mutating func perform(_ request: World.Sent, _ body: Data) -> HTTPResponse {
        if let id = request.query["uploadId"] { return performOnUpload(request, id, body) }
        switch request.method {
        case "POST":
            let id = "upload-\(uploadCount)"
            uploadCount += 1
            uploads[id] = [:]
            return .storage("<R><UploadId>\(id)</UploadId></R>")
        case "PUT":
            if request.headers["if-none-match"] != nil, objects[request.path] != nil {
                return .error("PreconditionFailed", status: 412)
            }
            objects[request.path] = body
            return .storage("", ["etag": "\"one\""])
        case "DELETE":
            objects[request.path] = nil
            return .storage("", status: 204)
        default: return read(request)
        }
    }

    private mutating func performOnUpload(_ request: World.Sent, _ id: String, _ body: Data) -> HTTPResponse {
        guard let parts = uploads[id] else { return .error("NoSuchUpload", status: 404) }
        switch request.method {
        case "PUT":
            uploads[id]?[Int(request.query["partNumber"] ?? "") ?? 0] = body
            return .storage("", ["etag": "\"\(request.query["partNumber"] ?? "")\""])
        case "GET":
            let items = parts.map { number, part in
                "<Part><PartNumber>\(number)</PartNumber><ETag>\"\(number)\"</ETag><Size>\(part.count)</Size></Part>"
            }
            return .storage("<ListPartsResult>\(items.joined())</ListPartsResult>")
        case "DELETE":
            uploads[id] = nil
            return .storage("", status: 204)
        default:
            objects[request.path] = parts.sorted { $0.key < $1.key }.reduce(into: Data()) { $0 += $1.value }
            uploads[id] = nil
            return .storage("<R><ETag>\"done-\(parts.count)\"</ETag></R>")
        }
    }

    private func read(_ request: World.Sent) -> HTTPResponse {
        if let prefix = request.query["prefix"] {
            let items = objects.keys.filter { $0.hasPrefix(prefix) }.sorted().map {
                "<Contents><Key>\($0)</Key><Size>1</Size></Contents>"
            }
            return .storage("<ListBucketResult><Prefix>\(prefix)</Prefix>\(items.joined())</ListBucketResult>")
        }
        guard let object = objects[request.path] else { return .error("NoSuchKey", status: 404) }
        var headers = ["etag": "\"one\"", "content-length": "\(object.count)"]
        if request.method == "HEAD" { return .storage("", headers) }
        guard let range = request.headers["range"], request.headers["if-range"] == headers["etag"],
            let start = Int(range.dropFirst("bytes=".count).dropLast())
        else { return HTTPResponse(head: HTTPHead(status: 200, headers: headers), body: object) }
        headers["content-range"] = "bytes \(start)-\(object.count - 1)/\(object.count)"
        headers["content-length"] = "\(object.count - start)"
        return HTTPResponse(head: HTTPHead(status: 206, headers: headers), body: object.dropFirst(start))
    }
}
