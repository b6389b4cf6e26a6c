import Foundation
import HTTPClient

/// Objects and uploads in memory, behind the requests of a session. It verifies nothing, like the laxest storage.
final class LaxStore {
    private(set) var objects: [String: [UInt8]] = [:]
    private(set) var uploads: [String: (key: String, part: [UInt8])] = [:]
    private(set) var requests: [String] = []
    /// Called before each request with its number from 1.
    var onRequest: (Int) -> Void = { _ in }
    /// A status for some requests instead of what the store would do.
    var override: (_ method: String, _ key: String) -> Int? = { _, _ in nil }
    private var uploadCount = 0

    func insert(_ key: String, _ content: [UInt8]) { objects[key] = content }

    func insert(upload id: String, at key: String) { uploads[id] = (key, []) }

    func respond(_ request: FetchRequest) throws(FetchFailure) -> FetchResponse {
        let method = request.method.rawValue
        let target = request.url.target.split(separator: "?", maxSplits: 1)
        let key = String(target[0].dropFirst("/bucket".count).drop { $0 == "/" })
        let query = (target.count > 1 ? target[1] : "").split(separator: "&").map(String.init)
        requests.append("\(method) \(key)")
        onRequest(requests.count)
        if let status = override(method, key) { return FetchResponse(status: status, body: []) }
        let id = query.first { $0.hasPrefix("uploadId=") }.map { String($0.dropFirst(9)) }
        switch method {
        case "PUT":
            if let id { uploads[id]?.part = request.body } else { objects[key] = request.body }
            return FetchResponse(status: 200, headers: ["etag": "\"1\""], body: [])
        case "POST" where key.isEmpty: return postForm(request.body)
        case "POST": return post(key, id)
        case "DELETE":
            if let id { uploads[id] = nil } else { objects[key] = nil }
            return FetchResponse(status: 204, body: [])
        case "OPTIONS": return FetchResponse(status: 403, body: [])
        default: return get(key, query)
        }
    }

    /// Stores the file of a form, whose boundary is its first line.
    private func postForm(_ body: [UInt8]) -> FetchResponse {
        let text = String(decoding: body, as: UTF8.self)
        let boundary = text.prefix { $0 != "\r\n" }
        var (key, file): (String?, String?)
        for part in text.components(separatedBy: boundary) {
            let halves = part.components(separatedBy: "\r\n\r\n")
            guard halves.count > 1 else { continue }
            let value = String(halves.dropFirst().joined(separator: "\r\n\r\n").dropLast(1))
            if halves[0].contains("name=\"key\"") { key = value }
            if halves[0].contains("name=\"file\"") { file = value }
        }
        if let key, let file { objects[key] = Array(file.utf8) }
        return FetchResponse(status: 201, body: [])
    }

    private func post(_ key: String, _ id: String?) -> FetchResponse {
        if let id {
            objects[key] = uploads.removeValue(forKey: id)?.part
            return FetchResponse(status: 200, body: [])
        }
        uploadCount += 1
        uploads["u\(uploadCount)"] = (key, [])
        let body = "<InitiateMultipartUploadResult><UploadId>u\(uploadCount)</UploadId></InitiateMultipartUploadResult>"
        return FetchResponse(status: 200, body: Array(body.utf8))
    }

    private func get(_ key: String, _ query: [String]) -> FetchResponse {
        if key.isEmpty, query.contains("uploads=") {
            let items = uploads.map { "<Upload><Key>\($0.value.key)</Key><UploadId>\($0.key)</UploadId></Upload>" }
            return FetchResponse(status: 200, body: Array("<R>\(items.joined())</R>".utf8))
        }
        if key.isEmpty, query.contains("list-type=2") {
            let items = objects.keys.sorted().map { "<Contents><Key>\($0)</Key></Contents>" }
            let list = "<ListBucketResult>\(items.joined())</ListBucketResult>"
            return FetchResponse(status: 200, body: Array(list.utf8))
        }
        if query.contains(where: { $0.hasPrefix("uploadId=") }) { return FetchResponse(status: 200, body: []) }
        return objects[key].map { FetchResponse(status: 200, body: $0) } ?? FetchResponse(status: 404, body: [])
    }
}
