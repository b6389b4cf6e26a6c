import Cryptography
import Foundation
import Presigning
import PresigningTestSupport
import Requests
import StorageCredentials
import System

@testable import AccessRulesTestSupport
@testable import PresignServiceTestSupport

/// A URL or a form that the service has issued, with the credentials that signed it.
struct IssuedURL {
    let url: String
    let method: String
    /// The headers that the client sends.
    let headers: [String: String]
    /// The fields of a form; nil for a URL.
    let fields: [String: String]?
    let expiresIn: Int
    let credentials: IssuedCredentials
    let signedAt: SigningTime

    /// Expired credentials are dropped at the next check of the clocks, which waits for a request to the source.
    private static let longestCheck = TimeSpan(.seconds(20))

    struct Unsigned: Error, CustomStringConvertible {
        let description: String
    }

    init(_ body: PresignBody, in window: Window) throws {
        try self.init(body.url, body.method, body.headers, body.fields, expiresIn: body.expiresIn, in: window)
    }

    /// The URL in a redirect.
    init(location: String, _ method: String, _ headers: [String: String] = [:], in window: Window) throws {
        let expiresIn = queryItems(of: location)["X-Amz-Expires"].flatMap { Int($0) } ?? 0
        try self.init(location, method, headers, nil, expiresIn: expiresIn, in: window)
    }

    private init(
        _ url: String, _ method: String, _ headers: [String: String], _ fields: [String: String]?, expiresIn: Int,
        in window: Window
    ) throws {
        let query = queryItems(of: url)
        let scope = fields?["x-amz-credential"] ?? query["X-Amz-Credential"] ?? ""
        let id = scope.split(separator: "/").first.map(String.init) ?? ""
        guard let credentials = window.issued[id], let date = fields?["x-amz-date"] ?? query["X-Amz-Date"],
            let signedAt = SigningTime(basic: date.utf8)
        else { throw Unsigned(description: "the URL has unknown credentials or no date: \(url)") }
        (self.url, self.method, self.headers, self.fields) = (url, method, headers, fields)
        (self.expiresIn, self.credentials, self.signedAt) = (expiresIn, credentials, signedAt)
    }

    /// What is wrong with it, whatever the rules say.
    func complaint(in window: Window) -> String? {
        guard window.walls.contains(signedAt) else { return "it is dated \(signedAt.rfc3339Text)" }
        if let expiration = credentials.credentials.expiration {
            guard signedAt.advanced(bySeconds: expiresIn) <= expiration else { return "it outlives its credentials" }
            guard signedAt.advanced(bySeconds: Epoch.minRemaining) < expiration else { return "its credentials end" }
        }
        if let end = credentials.end, window.start > max(end, window.resumed) + Self.longestCheck {
            return "its credentials ended by the monotonic clock"
        }
        if let fields { return SignedForm(fields).complaint(until: signedAt.advanced(bySeconds: expiresIn), self) }
        let verified = try? verification(
            of: url, method: method, headers: headers, at: signedAt, credentials.credentials)
        return verified == .valid ? nil : "its signature is not valid: \(verified.map { "\($0)" } ?? "not a URL")"
    }

    /// The longest lifetime in seconds that the credentials allow.
    var longestLife: Int64 { credentials.credentials.expiration.map { signedAt.seconds(until: $0) } ?? .max }

    /// What is wrong with it, if it was issued in the epoch.
    ///
    /// - Parameter life: the lifetime in seconds that the rules give the request; nil if it is not known.
    func complaint(in epoch: Epoch, _ request: NaivePolicy.Request, life: Int64?) -> String? {
        let source = epoch.source(of: request)
        guard source == credentials.source,
            epoch.credentials[source]?.accessKeyID == credentials.credentials.accessKeyID
        else { return "other credentials were current" }
        if let life, Int64(expiresIn) != min(life, longestLife) {
            return "it lives \(expiresIn) s instead of \(life) s, with credentials for \(longestLife) s"
        }
        let prefix = request.store == "archive" ? "a-long-prefix/" : ""
        if request.action == "list" {
            let wanted = prefix + request.path.map { $0 + "/" }.joined()
            return key.isEmpty && (query["prefix"] ?? "") == wanted
                ? nil : "it lists \(query["prefix"] ?? "everything")"
        }
        guard key == prefix + request.path.joined(separator: "/") else { return "it is for \(key)" }
        return request.isForm ? nil : complaint(aboutDetailsOf: request)
    }

    private func complaint(aboutDetailsOf request: NaivePolicy.Request) -> String? {
        guard query["partNumber"] == request.part.map({ "\($0)" }) else { return "its part number is wrong" }
        let hasID = query["uploadId"] != nil
        guard hasID == (request.step != nil && request.step != "create") else { return "its upload id is wrong" }
        let signed = (query["X-Amz-SignedHeaders"] ?? "").split(separator: ";").map(String.init)
        let length = request.step == "complete" ? "x-amz-mp-object-size" : "content-length"
        for (name, value) in [(length, request.length.map { "\($0)" }), ("content-type", request.type)] {
            guard let value else { continue }
            guard headers[name] == value, signed.contains(name) else { return "\(name) is not signed" }
        }
        return nil
    }

    private var query: [String: String] { queryItems(of: url) }

    /// The key that it is for; empty for a bucket.
    var key: String {
        if let fields { return fields["key"] ?? "" }
        return String((URLComponents(string: url)?.path ?? "").dropFirst())
    }
}
