extension AccessPolicyBuilder {
    /// Signing in should not take anything away, but `guest` does not include callers who have signed in.
    mutating func warnAboutGuests(in rule: RuleDescription) {
        func actions(of names: [String]) -> AccessActionSet {
            rule.grants.filter { names.contains($0.grantee.text) }.reduce(into: []) { set, grant in
                for name in grant.actions { set.formUnion(AccessActionSet(name: name.text) ?? []) }
            }
        }
        let excess = actions(of: ["guest"]).subtracting(actions(of: ["everyone", "authenticated"]))
        guard !excess.isEmpty, let guest = rule.grants.first(where: { $0.grantee.text == "guest" }) else { return }
        warn(
            guest.grantee,
            "guests may do more than signed-in callers (\(excess.names)); use `everyone` if that is not meant")
    }

    /// Rules that no request reaches, and literals that stand where a caller's own value could.
    mutating func warnAboutShadows(in store: AccessPolicy.StoreRules, _ rules: [AccessRule]) {
        for rule in rules where store.trie.holds(rule, of: rules) {
            let place = Located(rule.reference.pattern, at: rule.reference.position)
            let granted = rule.grants.reduce(into: AccessActionSet()) { $0.formUnion($1.actions) }
            let denials = store.denials.filter { $0.pattern.covers(rule.template) }
            if let denial = denials.first(where: { $0.actions.isSuperset(of: granted) }) {
                warn(place, "the rule `\(place.text)` is never reached: \(denial.reference) denies all of it")
            }
            if let literal = store.trie.literalBesidePlaceholder(in: rule.template.segments) {
                let name = String(decoding: literal, as: UTF8.self)
                warn(
                    place,
                    "the segment `\(name)` of `\(place.text)` stands beside a placeholder: a caller whose own value "
                        + "is `\(name)` falls under this rule there")
            }
        }
    }
}

extension RuleTrie {
    /// Whether the rule is one of this trie's.
    fileprivate func holds(_ rule: AccessRule, of rules: [AccessRule]) -> Bool {
        self.rule(at: rule.template.segments).map { rules[$0].reference == rule.reference } ?? false
    }
}

extension DenyPattern {
    /// Whether every key that the template matches is matched by this pattern as well.
    func covers(_ template: PathTemplate) -> Bool {
        Self.covers(segments[...], template.segments[...])
    }

    private static func covers(
        _ pattern: ArraySlice<Segment>, _ template: ArraySlice<PathTemplate.Segment>
    ) -> Bool {
        guard let first = pattern.first else { return template.isEmpty }
        switch first {
        case .rest where pattern.count == 1: return !template.isEmpty
        case .rest:
            return (template.startIndex...template.endIndex).contains { covers(pattern.dropFirst(), template[$0...]) }
        case .glob(let glob):
            guard let segment = template.first, covers(glob, segment) else { return false }
            return covers(pattern.dropFirst(), template.dropFirst())
        }
    }

    private static func covers(_ glob: [UInt8], _ segment: PathTemplate.Segment) -> Bool {
        switch segment {
        case .literal(let bytes): Self.glob(glob, matches: bytes[...])
        case .placeholder, .any: glob == [UInt8(ascii: "*")]
        case .rest: false
        }
    }
}
