import AccessRules
import Requests

/// A second implementation of the rules' semantics, on strings, lists and recursion, without compilation. Random
/// policies are compared with it.
struct NaivePolicy {
    struct Limits {
        var types: [String]?
        var maxSize: Int64?
        /// Set by rules only.
        var partSize: Int64?
        var checksum = false
        var overwrite: Bool?
        var accept: [String]?
        /// The Cache-Control that the rule sets.
        var cache: String?
        /// The access control list that the rule sets.
        var acl: String?
        var overrides: String?
        var versions: Bool?
        var standard: Int64?
        var max: Int64?
        /// The maximum lifetime of share links in seconds.
        var shareReads: Int64?
        var shareWrites: Int64?
    }

    /// What a request has to do with a share link.
    enum Share {
        case creation(lifetime: Int64?)
        /// A use: the seconds since the creation, and until the end.
        case use(age: Int64, remaining: Int64)
    }

    struct Grant {
        var grantee: String
        var actions: [String]
        var limits: Limits
    }

    struct Rule {
        var store: String
        var path: [String]
        var limits: Limits
        var grants: [Grant]
    }

    struct Denial {
        var store: String?
        var path: [String]
        var actions: [String]?
    }

    struct Who {
        var identity: String?
        var groups: [String] = []
        var claims: [String: String] = [:]
        var key: String?
        /// Whether the caller's token is bound to an authorized party instead of an audience.
        var isOfAuthorizedParty = false
    }

    /// The result of a request.
    struct Verdict: Equatable {
        var status: Int
        var rule: String?
        var reason: String?
        var fields: [String] = []
        var expiresIn: Int64?
        var ifNoneMatch: Bool?
        /// Whether the rule adds its Cache-Control; nil if the request is refused.
        var isAdding: Bool?
        /// Whether the rule adds its access control list; nil if the request is refused.
        var addsList: Bool?
        /// The longest lifetime in seconds of a share link that a grant allows; nil for other requests.
        var shareLifetime: Int64?
    }

    struct Request {
        var who: Who?
        var action: String
        var path: [String]
        var store: String?
        var type: String?
        var length: Int64?
        var hasChecksum: Bool
        var expiresIn: Int64?
        /// The step of a multipart upload.
        var step: String?
        /// The number of a part.
        var part: Int64?
        /// Requested response headers, by member name.
        var overrides: [String: String] = [:]
        var hasStorageClass = false
        /// The requested Cache-Control.
        var cache: String?
        /// The requested access control list.
        var acl: String?
        var hasVersion = false
        /// Whether an HTML form is requested.
        var isForm = false
        var share: Share?

        var createsShare: Bool { if case .creation? = share { true } else { false } }

        var storesSettings: Bool { action == "write" || (action == "multipart" && ["create", nil].contains(step)) }

        var setsType: Bool {
            (action == "write" && (!createsShare || type != nil))
                || (action == "multipart" && (step == "create" || (step == nil && type != nil)))
        }

        var makesObject: Bool { action == "write" || (action == "multipart" && ["complete", nil].contains(step)) }
    }

    var rules: [Rule]
    var denials: [Denial]
    var isExclusive: Bool
    /// The service's own limits on lifetimes.
    var serviceDefault: Int64 = 18_000
    var serviceMax: Int64 = 604_800

    func verdict(on request: Request) -> Verdict {
        let refused = request.who == nil ? 401 : 403
        if request.path.contains(where: { ["", ".", ".."].contains($0) }) {
            return Verdict(status: 400, reason: "path", fields: ["path"])
        }
        let store = request.store ?? "media"
        guard ["media", "archive"].contains(store) else { return Verdict(status: refused, reason: "no-rule") }
        if request.share != nil, request.who == nil { return Verdict(status: refused, reason: "no-grant") }
        for denial in denials
        where (denial.store ?? store) == store && (denial.actions.map { names($0, request.action) } ?? true)
            && Self.denial(denial.path, request.path)
        {
            let text = denial.path.joined(separator: "/")
            return Verdict(status: refused, rule: text, reason: "deny:" + text)
        }
        let matching = rules.filter { $0.store == store && Self.rule($0.path, request.path) }
        let best = matching.max { rank($0.path).lexicographicallyPrecedes(rank($1.path)) }
        guard let best else { return Verdict(status: refused, reason: "no-rule") }
        return verdict(on: request, by: best, refused)
    }

    private func verdict(on request: Request, by rule: Rule, _ refused: Int) -> Verdict {
        let text = rule.path.joined(separator: "/")
        let limits = rule.grants.filter { names($0.actions, request.action) && reaches($0.grantee, request, rule) }
            .map { merged(rule.limits, $0.limits) }
        guard !limits.isEmpty else { return Verdict(status: refused, rule: text, reason: "no-grant") }
        let met = limits.filter { unmet($0, request).isEmpty }
        guard !met.isEmpty else {
            let lists = limits.map { unmet($0, request) }
            let least = lists.map(\.count).min() ?? 0
            return Verdict(status: 422, rule: text, fields: lists.first { $0.count == least } ?? [])
        }
        if let asked = request.expiresIn, !(1...604_800).contains(asked) {
            return Verdict(status: 400, rule: text, reason: "expiresIn", fields: ["expiresIn"])
        }
        // Fewer conditions, then fewer added settings, then the longer maximum, then the longer default.
        let free = request.makesObject ? met.filter { $0.overwrite != false } : met
        let unconditional = free.isEmpty ? met : free
        let fewest = unconditional.map { $0.added(to: request).count }.min()
        let candidates = unconditional.filter { $0.added(to: request).count == fewest }
        let longest = candidates.map { $0.max ?? .max }.max()
        let maximal = candidates.filter { ($0.max ?? .max) == longest }
        let standard = maximal.map { $0.standard ?? .max }.max()
        let widest = maximal.filter { ($0.standard ?? .max) == standard }
            .min { $0.added(to: request).joined().lexicographicallyPrecedes($1.added(to: request).joined()) }
        let longestLife = min(widest?.max ?? .max, serviceMax)
        if let asked = request.expiresIn, asked > longestLife {
            return Verdict(status: 422, rule: text, fields: ["expiresIn"])
        }
        var life = request.expiresIn ?? min(widest?.standard ?? serviceDefault, longestLife)
        if case .use(_, let remaining)? = request.share { life = min(life, 300, remaining) }
        return Verdict(
            status: 200, rule: text, expiresIn: life, ifNoneMatch: request.makesObject && free.isEmpty,
            isAdding: request.storesSettings && request.cache == nil && widest?.cache != nil,
            addsList: request.storesSettings && request.acl == nil && widest?.acl != nil,
            shareLifetime: request.share.flatMap { _ in met.compactMap { shareLifetime($0, request) }.max() })
    }

    func names(_ actions: [String], _ action: String) -> Bool {
        actions.contains(action) || (actions.contains("read") && ["get", "list"].contains(action))
    }

    func reaches(_ grantee: String, _ request: Request, _ rule: Rule) -> Bool {
        if grantee == "everyone" { return true }
        guard let who = request.who else { return grantee == "guest" }
        let leftOut = isExclusive && !who.groups.isEmpty
        let captures = zip(rule.path, request.path).filter { $0.0.hasPrefix("{") }
        switch grantee {
        case "guest": return false
        case "authenticated": return !leftOut
        case "owner":
            if leftOut, rule.path.contains("{identity}") { return false }
            return captures.allSatisfy { owns(who, $0.0, $0.1) }
        case _ where grantee.hasPrefix("{"):
            return captures.filter { $0.0 == grantee }.allSatisfy { owns(who, $0.0, $0.1) }
        case _ where grantee.hasPrefix("group:"): return who.groups.contains(String(grantee.dropFirst(6)))
        default: return who.key == String(grantee.dropFirst(7))
        }
    }

    private func owns(_ who: Who, _ placeholder: String, _ segment: String) -> Bool {
        switch placeholder {
        case "{identity}": who.identity == segment
        case "{group}": who.groups.contains(segment)
        default: who.claims[String(placeholder.dropFirst(7).dropLast())] == segment
        }
    }

    func rank(_ path: [String]) -> [Int] {
        path.map { $0 == "**" ? 0 : $0 == "*" ? 1 : $0.hasPrefix("{") ? 2 : 3 }
    }

    static func rule(_ template: [String], _ path: [String]) -> Bool {
        guard let first = template.first else { return path.isEmpty }
        guard let segment = path.first else { return false }
        if first == "**" { return true }
        return (first == "*" || first.hasPrefix("{") || first == segment)
            && rule(Array(template.dropFirst()), Array(path.dropFirst()))
    }

    static func denial(_ pattern: [String], _ path: [String]) -> Bool {
        guard let first = pattern.first else { return path.isEmpty }
        if first == "**" {
            if pattern.count == 1 { return !path.isEmpty }
            return (0...path.count).contains { denial(Array(pattern.dropFirst()), Array(path.dropFirst($0))) }
        }
        guard let segment = path.first, glob(Array(first), Array(segment)) else { return false }
        return denial(Array(pattern.dropFirst()), Array(path.dropFirst()))
    }

    private static func glob(_ glob: [Character], _ text: [Character]) -> Bool {
        guard let first = glob.first else { return text.isEmpty }
        if first == "*" {
            return (0...text.count).contains { self.glob(Array(glob.dropFirst()), Array(text.dropFirst($0))) }
        }
        return text.first == first && self.glob(Array(glob.dropFirst()), Array(text.dropFirst()))
    }
}
