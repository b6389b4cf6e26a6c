import AccessRules
import Requests

/// What a caller needs so that grants reach it, and nothing else.
///
/// Grants add up, so of all callers that a grant reaches, the one with nothing else is refused most. Only
/// `groups: exclusive` takes grants from callers in a group; so a caller in one more group, which no file names, is tried
/// too. Tokens of anonymous users are decided as guests, users of a proxy as tokens.
struct CallerNeeds: Hashable {
    private var identity: [UInt8]?
    private var groups: Set<[UInt8]> = []
    private var claims: [[UInt8]: [UInt8]] = [:]
    private var key: [UInt8]?
    private var certificate: [UInt8]?
    private var isGuest: Bool?

    /// Nothing.
    init() {}

    /// - Parameter path: The segments of a key, or of a prefix. What captures segments below the prefix has no owner.
    init?(_ grantee: Grantee, of template: PathTemplate, at path: [[UInt8]]) {
        if grantee == .everyone { return }
        isGuest = grantee == .guest
        switch grantee {
        case .group(let name): groups = [name]
        case .apiKey(let id): key = id
        case .certificate(let name): certificate = name
        case .everyone, .guest, .authenticated, .owner, .placeholder: break
        }
        for (index, segment) in template.segments.enumerated() {
            guard case .placeholder(let placeholder) = segment, [.owner, .placeholder(placeholder)].contains(grantee)
            else { continue }
            guard index < path.count, let all = adding(placeholder, path[index]) else { return nil }
            self = all
        }
    }

    private func adding(_ placeholder: Placeholder, _ value: [UInt8]) -> CallerNeeds? {
        var needs = CallerNeeds()
        needs.isGuest = false
        switch placeholder {
        case .identity: needs.identity = value
        case .group: needs.groups = [value]
        case .claim(let name): needs.claims = [name: value]
        }
        return adding(needs)
    }

    /// What both need; nil if no caller has it.
    func adding(_ other: CallerNeeds) -> CallerNeeds? {
        var all = other
        func merge<Value: Equatable>(_ one: Value?, _ two: inout Value?) -> Bool {
            if let one, let other = two, one != other { return false }
            two = one ?? two
            return true
        }
        guard merge(identity, &all.identity), merge(key, &all.key), merge(certificate, &all.certificate),
            merge(isGuest, &all.isGuest), claims.allSatisfy({ all.claims[$0] ?? $1 == $1 })
        else { return nil }
        all.claims.merge(claims) { one, _ in one }
        all.groups.formUnion(groups)
        return all
    }

    /// Whether each caller that has the other needs has these, too.
    ///
    /// - Parameter isExclusive: Whether grants do not reach callers in a group.
    func areWithin(_ other: CallerNeeds, _ isExclusive: Bool) -> Bool {
        adding(other) == other && (!isExclusive || groups.isEmpty == other.groups.isEmpty)
    }

    /// The callers, of which one is refused whenever any caller is that has what is needed.
    ///
    /// - Parameters:
    ///   - isExclusive: Whether callers in a group can be refused more.
    ///   - definesKeys: Whether a file says which identity and groups API keys have.
    ///   - word: A word that no file has.
    func callers(_ isExclusive: Bool, definesKeys: Bool, _ word: String) -> [Caller] {
        if let certificate { return [Caller(certificate: certificate)] }
        if isGuest == true { return [.guest] }
        let groups = groups.map(Self.text).sorted()
        if let key = key.map(Self.text) {
            if definesKeys { return [Caller(apiKeyID: key, identity: nil)] }
            let lists = isExclusive && groups.isEmpty ? [[], [word]] : [groups]
            let identity = identity.map(Self.text)
            return lists.map { Caller(apiKeyID: key, identity: identity, groups: $0) }
        }
        let claims = claims.map { Caller.Claim(name: $0, value: $1) }
            .sorted { $0.name.lexicographicallyPrecedes($1.name) }
        let isBare = identity == nil && groups.isEmpty && claims.isEmpty
        let name = self.identity.map(Self.text) ?? (isBare ? word : nil)
        var callers = isBare && isGuest == nil ? [Caller.guest] : []
        callers.append(Caller(scheme: .jwt, identity: name, groups: groups, claims: claims))
        if isExclusive, groups.isEmpty {
            callers.append(Caller(scheme: .jwt, identity: name, groups: [word], claims: claims))
        }
        return callers
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
