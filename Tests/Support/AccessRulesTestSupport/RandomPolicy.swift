import AccessRules
import Presigning
import Requests
import TestSupport

/// Random policies and requests from a small vocabulary, so that rules, values and limits often match.
struct RandomPolicy {
    var generator: SeededGenerator

    private let words = ["a", "b", "c", "red"]
    private let actions = ["get", "list", "write", "delete", "multipart"]

    mutating func one<Item>(of items: [Item]) -> Item { items[Int.random(in: items.indices, using: &generator)] }

    mutating func optional<Item>(_ item: Item) -> Item? { Bool.random(using: &generator) ? item : nil }

    mutating func policy() -> NaivePolicy {
        var rules: [NaivePolicy.Rule] = []
        var shapes: Set<[String]> = []
        for _ in 0..<Int.random(in: 1...12, using: &generator) {
            let rule = rule()
            // A store cannot have two rules of the same shape.
            let shape = [rule.store] + rule.path.map { $0.hasPrefix("{") ? "{}" : $0 }
            if shapes.insert(shape).inserted { rules.append(rule) }
        }
        let denials = (0..<Int.random(in: 0...2, using: &generator)).map { _ in denial() }
        return NaivePolicy(rules: rules, denials: denials, isExclusive: one(of: [true, false, false]))
    }

    private mutating func path(of words: [String]) -> [String] {
        var path = (0..<Int.random(in: 1...3, using: &generator)).map { _ in one(of: words) }
        if one(of: [true, false, false]) { path.append("**") }
        return path
    }

    private mutating func rule() -> NaivePolicy.Rule {
        let placeholders = ["{identity}", "{group}", "{claim.t}"]
        let path = path(of: words + placeholders + ["*"])
        let captured = path.filter { $0.hasPrefix("{") }
        var grantees = ["everyone", "guest", "authenticated", "group:red", "group:b", "caller:k"] + captured
        if !captured.isEmpty { grantees += ["owner", "owner"] }
        let chosen = Set((0..<Int.random(in: 1...3, using: &generator)).map { _ in one(of: grantees) })
        let grants = chosen.sorted().map { grantee in
            NaivePolicy.Grant(
                grantee: grantee, actions: (0...1).map { _ in one(of: actions + ["read", "write"]) }, limits: limits())
        }
        var own = limits()
        own.partSize = one(of: [nil, 5 << 20, 6 << 20])
        return NaivePolicy.Rule(
            store: one(of: ["media", "media", "archive"]), path: path, limits: own, grants: grants)
    }

    private mutating func limits() -> NaivePolicy.Limits {
        guard one(of: [true, false, false]) else { return NaivePolicy.Limits() }
        let max = optional(one(of: [600, 900] as [Int64]))
        return NaivePolicy.Limits(
            types: optional([one(of: ["image/*", "text/plain", "*/*"])]),
            maxSize: optional(one(of: [10, 20, 11 << 20] as [Int64])),
            checksum: one(of: [true, false, false]), overwrite: optional(one(of: [true, false])),
            accept: optional([one(of: ["storageClass", "tagging", "acl"])]),
            cache: optional(one(of: ["no-store", "public"])), acl: one(of: [nil, nil, "private", "public-read"]),
            overrides: optional(one(of: ["any", "attachment", "none"])), versions: optional(one(of: [true, false])),
            standard: optional(one(of: [300, 500] as [Int64])), max: max)
    }

    mutating func denial() -> NaivePolicy.Denial {
        NaivePolicy.Denial(
            store: one(of: [nil, "media", "archive"]), path: path(of: words + ["**", "*", "*e*", "?"]),
            actions: optional([one(of: actions + ["read"])]))
    }

    mutating func request() -> NaivePolicy.Request {
        var who: NaivePolicy.Who?
        if one(of: [true, true, false]) {
            let groups = words.filter { _ in one(of: [true, false, false]) }
            who = NaivePolicy.Who(identity: optional(one(of: words)), groups: groups)
            if one(of: [true, false, false]) { who?.key = "k" } else { who?.claims["t"] = optional(one(of: words)) }
        }
        let action = one(of: actions)
        let isUpload = ["write", "multipart"].contains(action)
        var request = NaivePolicy.Request(
            who: who, action: action,
            path: (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                one(of: words + words + words + words + ["{identity}", "*", "**", "é", ".."])
            },
            store: one(of: [nil, nil, "media", "archive", "nowhere"]),
            type: optional(one(of: ["image/png", "text/plain", "text/html", "nothing"])),
            length: optional(one(of: [Int64.random(in: 5...25, using: &generator), 1 << 20, 5 << 20, 6 << 20])),
            hasChecksum: one(of: [true, false]),
            expiresIn: optional(one(of: [0, 600, 700, 900, 901, 604_801] as [Int64])),
            step: action == "multipart" ? optional(one(of: ["part"] + MultipartStep.allCases.map(\.rawValue))) : nil,
            part: optional(Int64.random(in: 1...4, using: &generator)),
            overrides: action == "get" ? overrides() : [:],
            hasStorageClass: isUpload && one(of: [true, false, false, false]),
            cache: isUpload ? one(of: [nil, nil, nil, "no-store", "public"]) : nil,
            hasVersion: action == "get" && one(of: [true, false, false, false]))
        // One setting at a time, because the order of several is the client's.
        if isUpload, !request.hasStorageClass, request.cache == nil {
            request.acl = one(of: [nil, nil, "private", "public-read"])
        }
        return request
    }

    private mutating func overrides() -> [String: String] {
        guard one(of: [true, false]) else { return [:] }
        let dispositions = [
            "attachment", "Attachment ; filename=a", "attachment;inline", "inline", "attachmentx", "attachment inline",
            " attachment", "attachmen", "",
        ]
        var overrides: [String: String] = [:]
        overrides["responseContentDisposition"] = optional(one(of: dispositions))
        for other in ResponseOverride.allCases where other != .contentDisposition && one(of: [true, false, false]) {
            overrides[other.rawValue] = "x"
        }
        return overrides
    }
}

extension RandomPolicy {
    /// A policy in which listings, or another action on every key, are often allowed.
    mutating func listingPolicy(granting action: String = "list") -> NaivePolicy {
        var naive = policy()
        for rule in naive.rules.indices {
            for grant in naive.rules[rule].grants.indices where one(of: [true, true, false]) {
                naive.rules[rule].grants[grant].actions = action == "list" ? ["read"] : [action]
                if one(of: [true, false]) { naive.rules[rule].grants[grant].grantee = "everyone" }
            }
            // A grantee can occur only once.
            var seen: Set<String> = []
            naive.rules[rule].grants = naive.rules[rule].grants.filter { seen.insert($0.grantee).inserted }
        }
        for store in ["media", "archive"] where one(of: [true, true, false]) {
            let grant = NaivePolicy.Grant(grantee: "everyone", actions: [action], limits: .init())
            let path = one(of: [["**"], ["a", "**"], ["*", "**"], ["red", "**"]])
            guard !naive.rules.contains(where: { $0.store == store && $0.path == path }) else { continue }
            naive.rules.append(.init(store: store, path: path, limits: .init(), grants: [grant]))
        }
        if one(of: [true, true, false]) { naive.denials = [] }
        return naive
    }
}

/// Keys that stand for all keys below a prefix.
extension RandomPolicy {
    /// No rule or denial has more than four segments, and none has more than three left after a prefix of one segment.
    private static let (shallow, deep) = (endings(upTo: 3), endings(upTo: 4))

    /// What follows the prefix in the keys.
    static func endings(below prefix: [String]) -> [[String]] { prefix.isEmpty ? deep : shallow }

    /// All keys of up to this many segments, of the words of random rules, denials and callers and one other word, and
    /// one longer key.
    private static func endings(upTo length: Int) -> [[String]] {
        let words = ["a", "b", "c", "red", "?", "z"]
        var endings = words.map { [$0] }
        for length in 2...length {
            endings += endings.filter { $0.count == length - 1 }.flatMap { ending in words.map { ending + [$0] } }
        }
        return endings + [[String](repeating: "z", count: 5)]
    }
}

extension NaivePolicy {
    /// The policy as YAML.
    var yaml: String {
        let rules = rules.map { rule in
            let grants = rule.grants.map {
                "\"\($0.grantee)\": {actions: \($0.actions)\($0.limits.yaml)\($0.limits.reading)\($0.limits.expiry)"
                    + $0.limits.sharing + "}"
            }
            return "  - {path: \"\(rule.path.joined(separator: "/"))\", store: \(rule.store), "
                + "allow: {\(grants.joined(separator: ", "))}, write: {\(rule.limits.yaml.dropFirst(2))}, "
                + "read: {\(rule.limits.reading.dropFirst(2))}"
                + (rule.limits.partSize.map { ", multipart: {partSize: \($0)}" } ?? "") + rule.limits.sharing
                + "\(rule.limits.expiry)}\n"
        }
        let denials = denials.map { denial in
            "  - {path: \"\(denial.path.joined(separator: "/"))\"\(denial.store.map { ", store: \($0)" } ?? "")"
                + "\(denial.actions.map { ", actions: \($0)" } ?? "")}\n"
        }
        return "groups: \(isExclusive ? "exclusive" : "additive")\nrules:\n\(rules.joined())"
            + (denials.isEmpty ? "" : "deny:\n\(denials.joined())")
    }
}

extension NaivePolicy.Limits {
    fileprivate var yaml: String {
        (types.map { ", types: \($0)" } ?? "") + (maxSize.map { ", maxSize: \($0)" } ?? "")
            + (checksum ? ", checksum: sha256" : "") + (overwrite.map { ", overwrite: \($0)" } ?? "")
            + (accept.map { ", accept: \($0)" } ?? "") + (setsAny ? ", set: {\(values.joined(separator: ", "))}" : "")
    }

    /// What it sets.
    private var values: [String] {
        [cache.map { "cacheControl: \($0)" }, acl.map { "acl: \($0)" }].compactMap(\.self)
    }

    fileprivate var reading: String {
        (overrides.map { ", overrides: \($0)" } ?? "") + (versions.map { ", versions: \($0)" } ?? "")
    }

    fileprivate var sharing: String {
        let members = [shareReads.map { "get: \($0)s" }, shareWrites.map { "write: \($0)s" }].compactMap(\.self)
        return members.isEmpty ? "" : ", share: {\(members.joined(separator: ", "))}"
    }

    fileprivate var expiry: String {
        let members = [standard.map { "default: \($0)s" }, max.map { "max: \($0)s" }].compactMap(\.self)
        return members.isEmpty ? "" : ", expires: {\(members.joined(separator: ", "))}"
    }
}

extension NaivePolicy.Request {
    /// The request in the form that the service passes to the policy.
    var accessRequest: PresignRequest {
        var caller = Caller.guest
        if let who {
            let claims = who.claims.map { Caller.Claim(name: $0.key, value: $0.value) }
            caller =
                who.key.map { Caller(apiKeyID: $0, identity: who.identity, groups: who.groups) }
                ?? Caller(scheme: .jwt, identity: who.identity, groups: who.groups, claims: claims)
        }
        let actions = AccessAction.allCases
        var request = PresignRequest(
            caller: caller, action: actions.first { $0.name == action } ?? .get, step: step.flatMap(MultipartStep.init),
            path: Array(path.joined(separator: "/").utf8), store: store)
        request.contentType = type
        request.contentLength = length
        request.declare(hasChecksum ? .sha256 : nil)
        request.expiresIn = expiresIn
        if request.step == .part { request.partNumber = part }
        let settings: [(name: UploadSetting.Name, value: String?)] = [
            (.storageClass, hasStorageClass ? "GLACIER" : nil), (.cacheControl, cache), (.acl, acl),
        ]
        request.settings = settings.compactMap { name, value in
            value.flatMap { try? UploadSetting(name, value: Array($0.utf8)) }
        }
        request.versionId = hasVersion ? "3" : nil
        for override in ResponseOverride.allCases {
            guard let value = overrides[override.rawValue] else { continue }
            request.responseOverrides.append((override, Array(value.utf8)))
        }
        return request
    }
}
