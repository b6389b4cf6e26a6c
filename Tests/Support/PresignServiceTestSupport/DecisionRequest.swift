import AccessRules
import Foundation
import Presigning
import Requests
import TestSupport

@testable import AccessRulesTestSupport

/// A random request as the independent interpreter, rule tests and the service know it.
struct DecisionRequest: Sendable {
    let caller: DecisionCaller
    /// For the interpreter.
    let naive: NaivePolicy.Request
    /// The members of `POST /presign`.
    let members: [String: any Sendable]
    /// The request of a rule test.
    let question: [String: any Sendable]

    static let digest = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
    private static let methods = [
        "get": "GET", "write": "PUT", "delete": "DELETE", "create": "POST", "part": "PUT", "list": "GET",
        "complete": "POST", "abort": "DELETE",
    ]

    init(_ random: inout RandomPolicy) {
        let caller = random.one(of: DecisionCaller.all)
        self.init(Self.possible(random.request(), &random, caller), by: caller)
    }

    /// - Parameter naive: without fields that do not fit its operation; see `possible`.
    init(_ naive: NaivePolicy.Request, by caller: DecisionCaller) {
        var members: [String: any Sendable] = ["path": naive.path.joined(separator: "/")]
        members["store"] = naive.store
        members["expiresIn"] = naive.expiresIn
        members["contentType"] = naive.type
        members["contentLength"] = naive.length
        members["partNumber"] = naive.part
        members["storageClass"] = naive.hasStorageClass ? "GLACIER" : nil
        members["cacheControl"] = naive.cache
        members["acl"] = naive.acl
        members["versionId"] = naive.hasVersion ? "1" : nil
        for (name, value) in naive.overrides { members[name] = value }
        var question = members
        question["who"] = caller.description ?? NSNull()
        question["action"] = naive.action
        question["step"] = naive.step
        question["checksum"] = naive.hasChecksum ? "sha256" : nil
        members["checksumSHA256"] = naive.hasChecksum ? Self.digest : nil
        members["method"] = Self.methods[naive.step ?? naive.action]
        if let step = naive.step, step != "create" { members["uploadId"] = "u" }
        if naive.action == "list" {
            (members["path"], members["method"]) = (nil, nil)
            members["prefix"] = naive.path.map { $0 + "/" }.joined()
        }
        if naive.isForm { (members["method"], members["form"]) = ("POST", true) }
        if case .creation(let lifetime)? = naive.share { (members["share"], members["expiresIn"]) = (true, lifetime) }
        (self.caller, self.naive, self.members, self.question) = (caller, naive, members, question)
    }

    /// The request without members that do not fit its operation, which are refused whatever the rules are.
    static func possible(
        _ request: NaivePolicy.Request, _ random: inout RandomPolicy, _ caller: DecisionCaller
    ) -> NaivePolicy.Request {
        var request = request
        request.who = caller.who
        if request.store == "nowhere" { request.store = nil }
        if request.action == "list" { request.action = "get" }
        request.step = request.action == "multipart" ? random.one(of: MultipartStep.allCases).rawValue : nil
        let (step, isWrite) = (request.step, request.action == "write")
        if !request.setsType { request.type = nil }
        if !isWrite, step != "part", step != "complete" { request.length = nil }
        if !isWrite { request.hasChecksum = false }
        request.part = step == "part" ? request.part ?? 1 : nil
        if !request.storesSettings { (request.hasStorageClass, request.cache, request.acl) = (false, nil, nil) }
        request.overrides = request.action == "get" ? request.overrides.filter { !$0.value.isEmpty } : [:]
        request.hasVersion = request.hasVersion && request.action == "get"
        return request
    }

    /// The body of `POST /presign`, or an item of a batch.
    var json: String { get throws { try Self.json(members) } }

    /// The target of the same request as a link; nil if the operation is not a download, or names a version, which links
    /// do not offer.
    var link: String? {
        guard naive.action == "get", !naive.hasVersion else { return nil }
        return linkTarget(keeping: members.keys.filter { !["path", "method"].contains($0) })
    }

    /// The target of a link, with some of the members in its query.
    func linkTarget(keeping names: [String]) -> String {
        let query = members.filter { names.contains($0.key) }.sorted { $0.key < $1.key }.map {
            "\($0.key)=\(Self.escaped("\($0.value)"))"
        }
        let path = naive.path.map(Self.escaped).joined(separator: "/")
        return "/o/\(path)" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// The target of the question what the caller may do at the path.
    var permissions: String {
        "/permissions?path=\(Self.escaped(naive.path.joined(separator: "/")))"
            + (naive.store.map { "&store=\($0)" } ?? "")
    }

    static func json(_ members: [String: any Sendable]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: members, options: .sortedKeys), as: UTF8.self)
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(
            withAllowedCharacters: .alphanumerics.intersection(CharacterSet(charactersIn: " "..."~")))
            ?? ""
    }
}
