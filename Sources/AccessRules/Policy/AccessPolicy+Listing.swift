import Presigning
package import Requests

/// The decision on a listing, and on a deletion whose keys are unknown.
///
/// A listing reveals the name of every key that begins with its prefix, and S3 cannot be told to omit some of them. It
/// is allowed only if the caller may `list` each of these keys.
///
/// A rule decides all keys below the prefix alike: its placeholders there capture segments that the caller does not own.
/// The prefix stands for these keys, because a placeholder beyond its end captures an empty segment, which belongs to no
/// caller.
extension AccessPolicy {
    /// Decides a request whose `concernsAllBelow` is true.
    ///
    /// A refusal names the first denial or rule that prevents the listing. The limits of an allowed listing are the
    /// strictest of all rules that decide keys below the prefix.
    ///
    /// - Parameter asked: Increased by the number of rules that were asked.
    func listingDecision(for request: PresignRequest, in store: Int?, asked: inout Int) -> AccessDecision {
        if let refusal = ObjectKeyCheck.refusal(ofPrefix: request.path) { return denied(request, .path(refusal), nil) }
        guard let store else { return denied(request, .noRule, nil) }
        guard stores[store].offersListing || request.action != .list else { return denied(request, .listingOff, nil) }
        if let denial = stores[store].denials.first(where: { $0.prevents(request) }) {
            return denied(request, .deny(pattern: denial.reference.pattern), denial.reference)
        }
        var first: AccessDecision.Allowance?
        var (longest, standard) = (Int64.max, Int64.max)
        let deciders =
            request.action == .list
            ? deciders(below: request.path, in: store) : trie.deciders(below: request.path, in: store)
        asked += deciders.count
        for decider in deciders {
            let decision = decision(of: decider.rule, on: request)
            guard case .allowed(let allowance) = decision else { return decision }
            longest = min(longest, allowance.grant.constraints.maximumExpiry ?? .max)
            standard = min(standard, allowance.grant.constraints.defaultExpiry ?? Int64(expires.default))
            if first == nil { first = allowance }
        }
        guard let first else { return denied(request, .noRule, nil) }
        return limited(first.restricted(to: longest, standard, of: request), for: request, in: store)
    }

    /// A key that decides a listing: one that the caller may not list, otherwise the first below the prefix. Its
    /// segments without a literal of a rule equal no value of the caller.
    package func decidingKey(for request: PresignRequest, in store: Int) -> [UInt8] {
        let deciders = deciders(below: request.path, in: store)
        let refused = deciders.first { !decision(of: $0.rule, on: request).isAllowed }
        let decider = refused ?? deciders[0]
        let free = request.caller.foreignSegment
        let given = request.path.count { $0 == UInt8(ascii: "/") }
        var segments = decider.rule.map { rules[$0].template.fixedSegments.dropFirst(given).map { $0 ?? free } } ?? []
        segments += Array(repeating: free, count: decider.length - segments.count)
        return request.path + segments.joined(separator: [UInt8(ascii: "/")])
    }

    /// The entries of `deny` that match a key below the prefix.
    package func listingDenials(for request: PresignRequest, in store: Int) -> [Denial] {
        stores[store].denials.filter { $0.prevents(request) }
    }

    private func deciders(below prefix: [UInt8], in store: Int) -> [RuleTrie.Decider] {
        prefix.isEmpty ? stores[store].deciders : trie.deciders(below: prefix, in: store)
    }

    /// The decision of one rule on the keys below the prefix that it decides.
    private func decision(of rule: Int?, on request: PresignRequest) -> AccessDecision {
        rule.map { rules[$0].decision(for: request, groups: groups) } ?? denied(request, .noRule, nil)
    }
}

extension AccessPolicy {
    /// The rules that grant `list` in stores that offer listing, one line each with the grantees.
    package var listingSummary: [String] {
        stores.indices.filter { stores[$0].offersListing }.flatMap { store in
            let lines = rules(inStore: store).compactMap { rule -> String? in
                let names = rule.grants.filter { $0.actions.contains(.init(.list)) }.map(\.name.text)
                guard !names.isEmpty else { return nil }
                return "listing of store \(stores[store].name): \(rule.reference) grants `list` to "
                    + names.joined(separator: ", ")
            }
            return lines.isEmpty ? ["listing of store \(stores[store].name): no rule grants `list`"] : lines
        }
    }
}

extension AccessPolicy.Denial {
    /// Whether a key below the prefix matches.
    fileprivate func prevents(_ request: PresignRequest) -> Bool {
        actions.contains(.init(request.action)) && pattern.matches(below: request.path)
    }
}

extension PathTemplate {
    /// The literals, and nil for placeholders and `*`; without a final `**`.
    fileprivate var fixedSegments: [[UInt8]?] {
        segments.filter { $0 != .rest }.map { if case .literal(let bytes) = $0 { bytes } else { nil } }
    }
}

extension Caller {
    /// A segment that equals no value of the caller and no literal of a rule, because these contain no `*`.
    var foreignSegment: [UInt8] {
        var segment = [UInt8(ascii: "*")]
        while identity == segment || isMember(of: segment.span) || claims.contains(where: { $0.value == segment }) {
            segment.append(UInt8(ascii: "*"))
        }
        return segment
    }
}

extension AccessDecision.Allowance {
    /// Returns this allowance with other limits on the lifetime of a URL, in seconds.
    fileprivate func restricted(to longest: Int64, _ standard: Int64, of request: PresignRequest) -> Self {
        var limits = AccessConstraints()
        limits.maximumExpiry = longest
        limits.defaultExpiry = standard
        let grant = AccessRule.Grant(
            grant.grantee, grant.name, actions: grant.actions, constraints: limits, limitedActions: [])
        return Self(of: rule, grant, to: request)
    }
}
