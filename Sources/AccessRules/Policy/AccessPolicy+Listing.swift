extension AccessRequest {
    /// Whether the request lists the objects below its key. The key is then a prefix: empty, or ending in "/".
    package var isListing: Bool { action == .list && (key.isEmpty || key.last == UInt8(ascii: "/")) }
}

/// The decision on a listing.
///
/// A listing reveals the name of every key that begins with its prefix, and S3 cannot be told to omit some of them. It
/// is allowed only if the caller may `list` each of these keys. Their number is unlimited, so `keysToDecide` selects a
/// few that stand for all.
extension AccessPolicy {
    /// Decides a request whose `isListing` is true.
    ///
    /// A refusal names the first denial or rule that prevents the listing. The limits of an allowed listing are the
    /// strictest of all rules that decide keys below the prefix.
    func listingDecision(for request: AccessRequest) -> AccessDecision {
        if let refusal = ObjectKeyCheck.refusal(ofPrefix: request.key) { return denied(request, .path(refusal), nil) }
        guard let store = index(ofStore: request.store) else { return denied(request, .noRule, nil) }
        guard stores[store].offersListing else { return denied(request, .listingOff, nil) }
        if let denial = listingDenials(for: request, in: store).first {
            return denied(request, .deny(pattern: denial.reference.pattern), denial.reference)
        }
        var strictest: AccessDecision.Allowance?
        for key in keysToDecide(for: request, in: store) {
            let decision = ruleDecision(for: request, on: key, in: store)
            guard case .allowed(let allowance) = decision else { return decision }
            strictest = strictest?.restricted(by: allowance, within: expires, of: request) ?? allowance
        }
        guard let strictest else { return denied(request, .noRule, nil) }
        return limited(strictest, for: request, in: store)
    }

    /// The key that decides a listing: the first that the caller may not list, otherwise the first of all.
    package func decidingKey(for request: AccessRequest, in store: Int) -> [UInt8] {
        let keys = keysToDecide(for: request, in: store)
        let refused = keys.first { key in
            if case .allowed = ruleDecision(for: request, on: key, in: store) { false } else { true }
        }
        return refused ?? keys[0]
    }

    /// The decision of the rules alone on one key below the prefix.
    private func ruleDecision(for request: AccessRequest, on key: [UInt8], in store: Int) -> AccessDecision {
        guard let rule = trie.rule(for: key, in: store) else { return denied(request, .noRule, nil) }
        var single = request
        single.key = key
        return rules[rule].decision(for: single, groups: groups)
    }

    /// The entries of `deny` that match a key below the prefix.
    package func listingDenials(for request: AccessRequest, in store: Int) -> [Denial] {
        stores[store].denials.filter { $0.actions.contains(.init(.list)) && $0.pattern.matches(below: request.key) }
    }

    /// Keys below the prefix such that the caller may list every key below it exactly if the caller may list these.
    ///
    /// They consist of the literals of one rule, and of a free segment, which equals no literal and no value of the
    /// caller, where the rule has a placeholder or wildcard. This is sufficient:
    /// - If a rule decides any key, it decides the key of the same length with free segments in place of its
    ///   placeholders and wildcards, because the latter matches no other rule that the former does not match.
    /// - A grant that applies to the key with free segments applies to every key that the rule decides, because the
    ///   caller owns no free segment.
    /// - If no rule matches some key, none matches the key of that length with only free segments below the prefix.
    /// - Beyond the longest rule only `**` matches, whatever the length.
    private func keysToDecide(for request: AccessRequest, in store: Int) -> [[UInt8]] {
        let given = request.key.split(separator: UInt8(ascii: "/")).map(Array.init)
        let free = request.caller.foreignSegment
        let depth = rules.reduce(0) { max($0, $1.template.segments.count) }
        var paths = (0...max(0, depth - given.count)).map { [[UInt8]](repeating: free, count: $0 + 1) }
        for (index, rule) in rules.enumerated() {
            guard let fixed = rule.template.segments(below: given, free: free),
                trie.rule(at: rule.template.segments, in: store) == index
            else { continue }
            guard rule.template.segments.last == .rest else {
                paths.append(fixed)
                continue
            }
            for count in 1...(depth - given.count - fixed.count + 1) {
                paths.append(fixed + [[UInt8]](repeating: free, count: count))
            }
        }
        return paths.map { request.key + $0.joined(separator: [UInt8(ascii: "/")]) }
    }
}

extension AccessPolicy {
    /// The rules that grant `list` in stores that offer listing, one line each with the grantees.
    package var listingSummary: [String] {
        stores.indices.filter { stores[$0].offersListing }.flatMap { store in
            let lines = rules.enumerated().compactMap { index, rule -> String? in
                let names = zip(rule.grants, rule.granteeNames)
                    .filter { grant, _ in grant.actions.contains(.init(.list)) }.map(\.1.text)
                guard !names.isEmpty, trie.rule(at: rule.template.segments, in: store) == index else { return nil }
                return "listing of store \(stores[store].name): \(rule.reference) grants `list` to "
                    + names.joined(separator: ", ")
            }
            return lines.isEmpty ? ["listing of store \(stores[store].name): no rule grants `list`"] : lines
        }
    }
}

extension PathTemplate {
    /// The segments after those of a prefix, without a final `**`; nil if the template matches no key below the prefix,
    /// or if it has no segment of its own there.
    ///
    /// - Parameter free: The segment in place of placeholders and wildcards.
    fileprivate func segments(below prefix: [[UInt8]], free: [UInt8]) -> [[UInt8]]? {
        let fixed = segments.last == .rest ? segments.dropLast() : segments[...]
        guard fixed.count > prefix.count else { return nil }
        for (segment, given) in zip(fixed, prefix) {
            if case .literal(let bytes) = segment, bytes != given { return nil }
        }
        return fixed.dropFirst(prefix.count).map { if case .literal(let bytes) = $0 { bytes } else { free } }
    }
}

extension Caller {
    /// A segment that equals no value of the caller and no literal of a rule, because these contain no `*`.
    fileprivate var foreignSegment: [UInt8] {
        var segment = [UInt8(ascii: "*")]
        while identity == segment || groups.contains(segment) || claims.contains(where: { $0.value == segment }) {
            segment.append(UInt8(ascii: "*"))
        }
        return segment
    }
}

extension DenyPattern {
    /// Whether a key that begins with the prefix matches.
    ///
    /// Every remainder of a pattern matches some segments, so it is enough that one is left when the prefix is matched.
    func matches(below prefix: [UInt8]) -> Bool {
        var states = closure(of: [0])
        for part in prefix.split(separator: UInt8(ascii: "/")) {
            let part = Array(part)
            var next: Set<Int> = []
            for state in states where state < segments.count {
                switch segments[state] {
                case .rest: next.insert(state)
                case .glob(let glob): if Self.glob(glob, matches: part.span) { next.insert(state + 1) }
                }
            }
            states = closure(of: next)
        }
        return states.contains { $0 < segments.count }
    }

    /// The states with those that follow a `**` that matches no further segment.
    private func closure(of states: Set<Int>) -> Set<Int> {
        var closure = states
        for state in states {
            var state = state
            while state < segments.count - 1, segments[state] == .rest {
                state += 1
                closure.insert(state)
            }
        }
        return closure
    }
}

extension AccessDecision.Allowance {
    /// These limits on the lifetime of a URL, restricted by those of another allowance.
    fileprivate func restricted(by other: Self, within service: ExpiryLimits, of request: AccessRequest) -> Self {
        let maxima = [constraints.maximumExpiry, other.constraints.maximumExpiry]
        var merged = AccessConstraints()
        merged.maximumExpiry = maxima.compactMap(\.self).min()
        merged.defaultExpiry = min(
            constraints.defaultExpiry ?? Int64(service.default),
            other.constraints.defaultExpiry ?? Int64(service.default))
        let grant = AccessRule.Grant(grantee: grant.grantee, actions: grant.actions, constraints: merged)
        return Self(of: rule, grant, to: request)
    }
}
