import Foundation
import Testing

/// One documented behaviour of S3: requests with presigned URLs, and the required responses.
struct StorageCase: Sendable, CustomTestStringConvertible {
    /// What S3 does, as a sentence; the tables of deviations refer to it.
    let name: String
    let steps: [Step]

    var testDescription: String { name }

    /// A request and the documented response.
    struct Step: Sendable {
        let request: StorageRequest
        let response: StorageResponse
    }

    init(_ name: String, _ steps: [(StorageRequest, StorageResponse)]) {
        self.name = name
        self.steps = steps.map { Step(request: $0.0, response: $0.1) }
    }

    /// A case that starts with an upload of the usual object.
    init(withObject name: String, _ steps: [(StorageRequest, StorageResponse)]) {
        self.init(name, [(.put("0123456789", headers: ["content-type": "text/plain"]), .ok)] + steps)
    }
}

/// A request: first as signed, then the differences in what is sent. In every string `{upload}`, `{modified}`,
/// `{token}`, `{origin}`, `{port}` and `{prefix}` stand for the last upload id, date and continuation token in a response,
/// the origin allowed by the CORS rules, its port, and the case's prefix.
struct StorageRequest: Sendable {
    var method = "GET"
    /// The key, relative to the case's prefix.
    var key = "object"
    /// Whether the objects below `key` are listed.
    var lists = false
    /// Headers that are signed and sent.
    var signed: [String: String] = [:]
    /// Query parameters that are signed.
    var query: [String: String] = [:]
    var uploadId: String?
    var partNumber: Int?
    /// The lifetime in seconds.
    var expiresIn = 300
    /// The age of the signature in seconds; negative if it is in the future.
    var age = 0
    /// Values to sign with instead of the right ones: `region`, `bucket`, `accessKeyId`, `secretAccessKey`.
    var signing: [String: String] = [:]

    /// Headers that are sent unsigned, or with a different value than signed.
    var headers: [String: String] = [:]
    var body: Data?
    /// The sent method, if it differs from the signed one.
    var sentMethod: String?
    /// Replacements in the URL.
    var changes: [String: String] = [:]
    /// Whether the URL is sent without its query.
    var bare = false
    /// Whether curl sends it, which waits for 100 before it sends the body, and for the response for this many seconds.
    var timeout: Int?

    static func get(
        _ headers: [String: String] = [:], key: String = "object", query: [String: String] = [:]
    ) -> Self {
        Self(key: key, query: query, headers: headers)
    }

    static func head(_ headers: [String: String] = [:], key: String = "object") -> Self {
        Self(method: "HEAD", key: key, headers: headers)
    }

    static func put(_ text: String, key: String = "object", headers signed: [String: String] = [:]) -> Self {
        Self(method: "PUT", key: key, signed: signed, body: Data(text.utf8))
    }

    static func list(_ prefix: String = "", _ query: [String: String] = [:]) -> Self {
        Self(key: prefix, lists: true, query: query)
    }

    static func delete(key: String = "object") -> Self { Self(method: "DELETE", key: key) }

    /// A copy with changes.
    func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

/// The documented response; only the parts named here are compared.
struct StorageResponse: Sendable {
    var status: Int
    /// The required text of the first element with each name in the XML body.
    var elements: [String: String] = [:]
    /// Required headers; nil: the header must be absent.
    var headers: [String: String?] = [:]
    /// Headers whose list must contain this token, ignoring case.
    var listed: [String: String] = [:]
    var body: Data?
    /// The keys and the folders of a listing, decoded and without the case's prefix.
    var keys: [String]?
    var folders: [String]?

    static let ok = Self(status: 200)

    static func ok(_ body: String, _ headers: [String: String?] = [:]) -> Self {
        Self(status: 200, headers: headers, body: Data(body.utf8))
    }

    static func listed(_ keys: [String], _ folders: [String] = [], _ elements: [String: String] = [:]) -> Self {
        Self(
            status: 200,
            elements: elements.merging(["KeyCount": "\(keys.count + folders.count)"]) { given, _ in given },
            keys: keys, folders: folders)
    }

    static func part(_ body: String, _ range: String) -> Self {
        Self(status: 206, headers: ["content-range": range], body: Data(body.utf8))
    }

    static func error(_ status: Int, _ code: String, _ headers: [String: String?] = [:]) -> Self {
        Self(status: status, elements: ["Code": code], headers: headers)
    }

    /// A response without content, such as an error response to HEAD.
    static func bare(_ status: Int, _ headers: [String: String?] = [:]) -> Self {
        Self(status: status, headers: headers, body: Data())
    }

    /// The deviations of the response, in texts that do not change between runs.
    func differences(from response: HTTP.Response, fill: (String) -> String) -> [String] {
        var found: [String] = []
        if response.status != status { found.append("status \(response.status)") }
        for (name, value) in elements.sorted(by: { $0.key < $1.key }) {
            let has = response.first(name)
            if has != fill(value) { found.append("\(name) \(has ?? "none")") }
        }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            let has = response.headers[name]
            if has != value.map(fill) { found.append("\(name): \(has ?? "none")") }
        }
        for (name, token) in listed.sorted(by: { $0.key < $1.key }) {
            let tokens = (response.headers[name] ?? "").lowercased().split { $0 == "," || $0 == " " }
            if !tokens.contains(Substring(token.lowercased())), response.headers[name] != "*" {
                found.append("\(name): \(response.headers[name] ?? "none")")
            }
        }
        if let body, body != response.body { found.append("another body") }
        for (name, names) in [("Contents><Key", keys), ("CommonPrefixes><Prefix", folders)] {
            guard let names else { continue }
            let has = response.names(of: name).map { $0.replacing(fill("{prefix}"), with: "") }
            if has != names { found.append("\(name) \(has)") }
        }
        return found
    }
}

extension HTTP.Response {
    /// The decoded texts of all elements that begin with `<parent><child>`, given as `parent><child`.
    func names(of element: String) -> [String] {
        text.components(separatedBy: "<\(element)>").dropFirst().map { part in
            let name = String(part.prefix { $0 != "<" })
            return name.replacing("+", with: " ").removingPercentEncoding ?? name
        }
    }
}
