import Foundation
import Testing

/// One thing S3 documents: requests by pre-signed URLs, and what the storage must answer to each.
struct StorageCase: Sendable, CustomTestStringConvertible {
    /// What S3 does, as a sentence; the tables of deviations refer to it.
    let name: String
    let steps: [Step]

    var testDescription: String { name }

    /// A request and the documented answer to it.
    struct Step: Sendable {
        let request: StorageRequest
        let answer: StorageAnswer
    }

    init(_ name: String, _ steps: [(StorageRequest, StorageAnswer)]) {
        self.name = name
        self.steps = steps.map { Step(request: $0.0, answer: $0.1) }
    }

    /// A case about the object that most of them begin with.
    init(withObject name: String, _ steps: [(StorageRequest, StorageAnswer)]) {
        self.init(name, [(.put("0123456789", headers: ["content-type": "text/plain"]), .ok)] + steps)
    }
}

/// A request, first as it is signed, then how what is sent differs from that.
///
/// In every text `{upload}`, `{modified}`, `{origin}` and `{port}` stand for the upload id and the date the storage
/// has answered last, the origin its CORS rules admit, and its port.
struct StorageRequest: Sendable {
    var method = "GET"
    /// Below the case's own prefix.
    var key = "object"
    /// Headers that are signed, and sent.
    var signed: [String: String] = [:]
    /// Query parameters that are signed.
    var query: [String: String] = [:]
    var uploadId: String?
    var partNumber: Int?
    /// Seconds.
    var expiresIn = 300
    /// Seconds since the moment of signing; negative: it is still to come.
    var age = 0
    /// What to sign with in place of the right one: `region`, `bucket`, `accessKeyId`, `secretAccessKey`.
    var signing: [String: String] = [:]

    /// Headers that are sent though unsigned, or with another value than the signed one.
    var headers: [String: String] = [:]
    var body: Data?
    /// The method to send, when it is not the signed one.
    var sentMethod: String?
    /// What to replace in the URL, by what.
    var changes: [String: String] = [:]
    /// The URL is sent without its query.
    var bare = false
    /// Seconds curl waits for the answer.
    var timeout = 60

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

    static func delete(key: String = "object") -> Self { Self(method: "DELETE", key: key) }

    /// The request with some of its parts replaced.
    func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

/// What S3 documents as the answer: only what is named here is compared.
struct StorageAnswer: Sendable {
    var status: Int
    /// The first element of this name in the XML body must hold this text.
    var elements: [String: String] = [:]
    /// nil: the header must be absent.
    var headers: [String: String?] = [:]
    /// The header is a list that holds this token, in any case.
    var listed: [String: String] = [:]
    var body: Data?

    static let ok = Self(status: 200)

    static func ok(_ body: String, _ headers: [String: String?] = [:]) -> Self {
        Self(status: 200, headers: headers, body: Data(body.utf8))
    }

    static func part(_ body: String, _ range: String) -> Self {
        Self(status: 206, headers: ["content-range": range], body: Data(body.utf8))
    }

    static func error(_ status: Int, _ code: String, _ headers: [String: String?] = [:]) -> Self {
        Self(status: status, elements: ["Code": code], headers: headers)
    }

    /// An answer that has no content, such as an error's to HEAD.
    static func bare(_ status: Int, _ headers: [String: String?] = [:]) -> Self {
        Self(status: status, headers: headers, body: Data())
    }

    /// What the answer has otherwise than documented; nothing in it changes from one run to the next.
    func differences(from answer: Curl.Answer, fill: (String) -> String) -> [String] {
        var found: [String] = []
        if answer.status != status { found.append("status \(answer.status)") }
        for (name, value) in elements.sorted(by: { $0.key < $1.key }) {
            let has = answer.first(name)
            if has != fill(value) { found.append("\(name) \(has ?? "none")") }
        }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            let has = answer.headers[name]
            if has != value.map(fill) { found.append("\(name): \(has ?? "none")") }
        }
        for (name, token) in listed.sorted(by: { $0.key < $1.key }) {
            let tokens = (answer.headers[name] ?? "").lowercased().split { $0 == "," || $0 == " " }
            if !tokens.contains(Substring(token.lowercased())), answer.headers[name] != "*" {
                found.append("\(name): \(answer.headers[name] ?? "none")")
            }
        }
        if let body, body != answer.body { found.append("another body") }
        return found
    }
}
