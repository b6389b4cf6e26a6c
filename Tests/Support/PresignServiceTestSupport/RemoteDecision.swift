import Foundation
import Requests

@testable import AccessRulesTestSupport

/// The question of a client of Apache Iceberg that asks for the same as a decision request, without its lifetime.
struct RemoteDecision: Sendable {
    let question: RemoteQuestion
    let store: String
    /// The request without a lifetime, for the interpreter.
    let naive: NaivePolicy.Request
    /// The members of `POST /presign`.
    let members: [String: any Sendable]
    let caller: DecisionCaller

    /// The stores by name: the start of their URLs.
    static let addresses = [
        "media": "https://one.s3.eu-west-1.amazonaws.com/",
        "archive": "https://two.s3.eu-west-1.amazonaws.com/a-long-prefix/",
    ]

    /// Nil for forms and share links.
    ///
    /// - Parameter isCreation: whether an upload has `If-None-Match: *`.
    init?(_ request: DecisionRequest, isCreation: Bool) {
        var naive = request.naive
        guard !naive.isForm, naive.share == nil else { return nil }
        naive.expiresIn = nil
        var members = request.members
        members["expiresIn"] = nil
        var (headers, query): ([String: String], [String]) = ([:], [])
        headers["content-type"] = naive.type
        headers[naive.step == "complete" ? "x-amz-mp-object-size" : "content-length"] = naive.length.map { "\($0)" }
        headers["x-amz-checksum-sha256"] = naive.hasChecksum ? DecisionRequest.digest : nil
        headers["x-amz-storage-class"] = naive.hasStorageClass ? "GLACIER" : nil
        headers["cache-control"] = naive.cache
        headers["x-amz-acl"] = naive.acl
        let creates = naive.action == "write" || naive.step == "complete"
        if creates, isCreation { (headers["if-none-match"], members["ifNoneMatch"]) = ("*", "*") }
        if naive.step == "create" {
            query.append("uploads")
            // The rule can require it, and a response cannot add it.
            (headers["x-amz-checksum-algorithm"], members["checksumAlgorithm"]) = ("SHA256", "SHA256")
        } else if naive.step != nil {
            query.append("uploadId=u")
        }
        if let part = naive.part { query.append("partNumber=\(part)") }
        if naive.hasVersion { query.append("versionId=1") }
        for (name, value) in naive.overrides {
            guard let override = ResponseOverride(rawValue: name) else { return nil }
            query.append("\(override.parameter)=\(Self.escaped(value))")
        }
        store = naive.store ?? "media"
        let path = naive.path.map(Self.escaped).joined(separator: "/")
        let uri = (Self.addresses[store] ?? "") + path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        question = RemoteQuestion(members["method"] as? String ?? "GET", uri, headers)
        (self.naive, self.members, caller) = (naive, members, request.caller)
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(
            withAllowedCharacters: .alphanumerics.intersection(CharacterSet(charactersIn: " "..."~"))) ?? ""
    }

    /// What the URL allows, for a count of what was compared.
    var kind: String { naive.step ?? naive.action }

    /// The status for a verdict of the interpreter: a guest is not signed for, and a response adds no headers.
    func status(for verdict: NaivePolicy.Verdict) -> Int {
        if caller.who == nil { return 401 }
        let isIncomplete =
            verdict.isAdding == true || verdict.addsList == true
            || (verdict.ifNoneMatch == true && question.headers["if-none-match"] == nil)
        return verdict.status == 200 && isIncomplete ? 422 : verdict.status
    }
}
