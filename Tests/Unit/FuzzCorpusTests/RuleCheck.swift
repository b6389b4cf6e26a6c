import Foundation
import Presigning
import Requests

@testable import AccessRules
@testable import AccessRulesTestSupport
@testable import DataFormats

/// Compares the compiled policy with the naive one, for rules in YAML and one request.
///
/// The first line is the request: `WHO|ACTION|STORE|PATH|TYPE|LENGTH|CHECKSUM|EXPIRES`. WHO is empty (a guest),
/// `key:ID`, or an identity followed by its groups (`alice,editors`). The remaining lines are the policy.
enum RuleCheck {
    static func fault(in input: [UInt8]) -> String? {
        let parts = input.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let policy = compiled(Array(parts[1])) else { return nil }
        let fields = parts[0].split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
        guard fields.count == 8 else { return nil }
        let texts = fields.map { String(decoding: $0, as: UTF8.self) }
        var request = NaivePolicy.Request(
            who: who(texts[0]), action: texts[1], path: texts[3].components(separatedBy: "/"),
            store: texts[2].isEmpty ? nil : texts[2], type: texts[4] == "png" ? "image/png" : nil,
            length: Int64(texts[5]).flatMap { $0 < 0 ? nil : $0 }, hasChecksum: texts[6] == "y",
            expiresIn: Int64(texts[7]))
        if AccessAction.allCases.allSatisfy({ $0.name != request.action }) { request.action = "get" }
        let decision = policy.policy.decision(for: request.accessRequest)
        if request.accessRequest.isListing {
            if case .allowed = decision { return listingFault(in: policy.policy, request.accessRequest) }
            return nil
        }
        // Invalid keys have a fuzzer of their own. String equality differs from byte equality, so only ASCII is
        // compared.
        guard decision.code != "path", input.allSatisfy({ $0 < 0x80 }), let naive = NaivePolicy(policy.nodes) else {
            return nil
        }
        let verdict = naive.verdict(on: request)
        let reason: String? = if case .denied(let denial) = decision { denial.reason.code } else { nil }
        guard decision.status == verdict.status, decision.rule?.pattern == verdict.rule, reason == verdict.reason else {
            return "\(decision), but the naive policy says \(verdict)"
        }
        if case .allowed(let allowance) = decision {
            guard allowance.expiresIn == verdict.expiresIn else {
                return "a different lifetime than \(verdict)"
            }
        }
        return nil
    }

    /// A key below the prefix of an allowed listing that the caller may not list; built from the words of the policy.
    private static func listingFault(in policy: AccessPolicy, _ listing: PresignRequest) -> String? {
        let patterns =
            policy.rules.map(\.reference.pattern) + policy.stores.flatMap { $0.denials.map(\.reference.pattern) }
        let words = Set(
            patterns.flatMap { $0.components(separatedBy: "/") }.map { $0.replacing("*", with: "x") } + ["z"])
        let endings = words.prefix(16).flatMap { word in [word] + words.prefix(16).map { "\(word)/\($0)" } }
        for ending in endings {
            var single = listing
            single.path += Array(ending.utf8)
            let decision = policy.decision(for: single)
            if case .allowed = decision { continue }
            if decision.code != "path" { return "the listing is allowed, but \(ending): \(decision)" }
        }
        return nil
    }

    private static func compiled(_ yaml: [UInt8]) -> (policy: AccessPolicy, nodes: ConfigurationMapping)? {
        try? ConfigurationNode.read(yaml, file: "p") { root in
            let nodes = try root.mapping(["rules", "deny", "groups"])
            let stores = ["media", "archive"].map { AccessPolicy.StorePolicy($0, offersListing: true) }
            let compiled = try AccessPolicy.compiled(nodes, PolicyInputs(stores: stores, defaultStore: "media"))
            return (compiled.policy, nodes)
        }
    }

    private static func who(_ text: String) -> NaivePolicy.Who? {
        if text.isEmpty { return nil }
        if text.hasPrefix("key:") { return NaivePolicy.Who(identity: nil, key: String(text.dropFirst(4))) }
        let parts = text.components(separatedBy: ",")
        return NaivePolicy.Who(identity: parts[0], groups: Array(parts.dropFirst()), claims: ["t": parts[0]])
    }
}

extension NaivePolicy {
    /// The policy of a mapping that has been compiled; nil if the naive comparison would take too long.
    init?(_ nodes: ConfigurationMapping) {
        do {
            let rules = try nodes["rules"]?.list().map(Rule.init) ?? []
            let denials = try nodes["deny"]?.list().map(Denial.init) ?? []
            self.init(rules: rules, denials: denials, isExclusive: try nodes["groups"]?.string() == "exclusive")
        } catch {
            return nil
        }
        let stars = denials.map { $0.path.joined().count { $0 == "*" } }
        guard stars.allSatisfy({ $0 <= 6 }) else { return nil }
    }
}

extension NaivePolicy.Rule {
    fileprivate init(_ node: ConfigurationNode) throws {
        let keys = try node.mapping(["path", "store", "allow", "read", "write", "multipart", "expires"])
        var limits = try NaivePolicy.Limits(keys["write"], keys["expires"])
        limits.partSize = try keys["multipart"].flatMap { node in
            try node.mapping(["partSize"])["partSize"].map { Int64(try $0.size(in: 1 ... .max)) }
        }
        self.init(
            store: try keys["store"]?.string() ?? "media",
            path: try keys.required("path").string().components(separatedBy: "/"),
            limits: limits,
            grants: try keys.required("allow").members().map(NaivePolicy.Grant.init))
    }
}

extension NaivePolicy.Grant {
    fileprivate init(_ member: ConfigurationNode.Member) throws {
        if member.value.isList {
            self.init(
                grantee: member.key, actions: try member.value.list().map { try $0.string() },
                limits: NaivePolicy.Limits())
        } else {
            let keys = try member.value.mapping(
                ["actions", "expires"] + AccessLimit.Section.read.keys + AccessLimit.Section.write.keys)
            self.init(
                grantee: member.key, actions: try keys.required("actions").list().map { try $0.string() },
                limits: try NaivePolicy.Limits(member.value, keys["expires"]))
        }
    }
}

extension NaivePolicy.Limits {
    fileprivate init(_ write: ConfigurationNode?, _ expires: ConfigurationNode?) throws {
        self.init()
        if let keys = try write?.mapping(
            ["actions", "expires"] + AccessLimit.Section.read.keys + AccessLimit.Section.write.keys)
        {
            types = try keys["types"]?.list().map { try $0.string().lowercased() }
            maxSize = try keys["maxSize"].map { Int64(try $0.size(in: 1 ... .max)) }
            checksum = keys["checksum"] != nil
            overwrite = try keys["overwrite"]?.boolean()
            accept = try keys["accept"]?.list().map { try $0.string() }
            if let set = keys["set"] {
                let members = try set.members()
                // The naive policy knows one setting.
                guard members.count == 1, members[0].key == "cacheControl" else { throw set.error("is not compared") }
                cache = try members[0].value.string()
            }
        }
        if let keys = try expires?.mapping(["default", "max"]) {
            standard = try keys["default"].map { Int64(try $0.seconds(in: ExpiryLimits.possible)) }
            max = try keys["max"].map { Int64(try $0.seconds(in: ExpiryLimits.possible)) }
        }
    }
}

extension NaivePolicy.Denial {
    fileprivate init(_ node: ConfigurationNode) throws {
        let keys = try node.mapping(["path", "store", "actions"])
        self.init(
            store: try keys["store"]?.string(),
            path: try keys.required("path").string().components(separatedBy: "/"),
            actions: try keys["actions"]?.list().map { try $0.string() })
    }
}
