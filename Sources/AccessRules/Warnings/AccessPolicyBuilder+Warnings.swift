import Presigning
import Requests

extension AccessPolicyBuilder {
    /// Warns about grants to `guest` that callers lose by signing in, because `guest` does not include signed-in
    /// callers.
    mutating func warnAboutGuests(in rule: AccessRule) {
        // The grants to all signed-in callers. With `groups: exclusive`, `authenticated` excludes callers in a group.
        let signedIn = rule.grants.filter {
            $0.grantee == .everyone || ($0.grantee == .authenticated && groups == .additive)
        }
        for (grant, name) in zip(rule.grants, rule.granteeNames) where grant.grantee == .guest {
            var excess: AccessActionSet = []
            var wider: AccessActionSet = []
            for action in AccessAction.allCases where grant.actions.contains(.init(action)) {
                let others = signedIn.filter { $0.actions.contains(.init(action)) }
                if others.isEmpty {
                    excess.insert(.init(action))
                } else if !others.contains(where: { $0.constraints.admitsAll(of: grant.constraints, for: action) }) {
                    wider.insert(.init(action))
                }
            }
            let signedInCallers =
                groups == .additive ? "signed-in callers" : "signed-in callers in a group (`groups: exclusive`)"
            let fix = "use `everyone` instead of `guest` unless this is intended"
            if !excess.isEmpty { warn(name, "guests may do more than \(signedInCallers) (\(excess.names)); \(fix)") }
            if !wider.isEmpty {
                warn(name, "guests have wider limits than \(signedInCallers) (\(wider.names)); \(fix)")
            }
        }
    }

    /// Warns about limits that never apply.
    mutating func warnAboutLimits(in rule: AccessRule, as description: RuleDescription) {
        let all = rule.grants.reduce(into: AccessActionSet()) { $0.formUnion($1.actions) }
        let path = SourceText(rule.reference.pattern, at: rule.reference.position)
        warnAboutUploadLimits(description.constraints, description.constraints, of: path, actions: all)
        warnAboutReadLimits(description.constraints, of: path, actions: all)
        warnAboutShares(description.constraints, of: path, actions: all)
        warnAboutExpiry(description.constraints, of: path)
        warnAboutWindows(in: rule, as: description)
        for written in description.grants {
            guard let index = rule.granteeNames.firstIndex(where: { $0.position == written.grantee.position }) else {
                continue
            }
            let grant = rule.grants[index]
            warnAboutUploadLimits(
                written.constraints, grant.constraints, of: written.grantee, actions: grant.actions)
            warnAboutReadLimits(written.constraints, of: written.grantee, actions: grant.actions)
            warnAboutShares(written.constraints, of: written.grantee, actions: grant.actions)
            // Limits without any grant of `write` are already reported.
            let uploaders =
                written.constraints.names(where: grant.constraints.limitsOnlyWrite) != nil ? grant.actions : all
            if uploaders.contains(.init(.write)) {
                warnAboutMultipart(grant.constraints, of: written.grantee, actions: grant.actions)
            }
            if written.constraints.names(where: { $0.section == .expires }) != nil {
                warnAboutExpiry(grant.constraints, of: written.grantee)
            }
        }
    }

    private mutating func warnAboutExpiry(_ limits: AccessConstraints, of source: SourceText) {
        let serviceMaximum = Int64(expires.max)
        let maximum = min(limits.maximumExpiry ?? serviceMaximum, serviceMaximum)
        if let own = limits.maximumExpiry, own > serviceMaximum {
            warn(
                source,
                "`\(source.text)` sets `expires.max` to \(own) s, but the service's `expires.max` is "
                    + "\(serviceMaximum) s; lower it, or raise the service's")
        }
        if let own = limits.defaultExpiry, own > maximum {
            warn(
                source,
                "`\(source.text)` has the default lifetime \(own) s, but at most \(maximum) s is allowed here; lower "
                    + "`expires.default`")
        }
    }

    /// Warns about rules that no request reaches, and about literals that a caller's own value could equal.
    mutating func warnAboutShadows(
        in store: Int, _ trie: RuleTrie, _ rules: [AccessRule], _ denials: [AccessPolicy.Denial]
    ) {
        let depth = rules.map(\.template.segments.count).max() ?? 0
        for (index, rule) in rules.enumerated() where trie.rule(at: rule.template.segments, in: store) == index {
            let source = SourceText(rule.reference.pattern, at: rule.reference.position)
            let granted = rule.grants.reduce(into: AccessActionSet()) { $0.formUnion($1.actions) }
            if denials.actions(deniedThroughout: rule.template).isSuperset(of: granted) {
                let names = Self.names(denials.filter { $0.pattern.covers(rule.template) }.map(\.reference))
                warn(
                    source,
                    "the rule `\(source.text)` is never reached, because `deny` covers every action it grants: "
                        + "\(names); remove the rule, or narrow the denial")
            }
            if let deciding = trie.rulesShadowing(index, rule.template, in: store, depth: depth) {
                let names = Self.names(deciding.map { rules[$0].reference })
                warn(
                    source,
                    "the rule `\(source.text)` is never reached, because more specific rules decide all its keys: "
                        + "\(names); remove it, or change its path")
            }
            if let literal = trie.literalBesidePlaceholder(at: rule.template.segments, in: store) {
                let name = String(decoding: literal, as: UTF8.self)
                warn(
                    source,
                    "the segment `\(name)` of `\(source.text)` is beside a placeholder: a caller whose own value is "
                        + "`\(name)` gets this rule instead; rename the segment if a caller can have that value")
            }
        }
    }

    private static func names(_ references: [RuleReference]) -> String {
        references.map(\.description).joined(separator: " and ")
    }
}

extension RuleTrie {
    /// The rules that decide instead of this rule for every key it matches; nil if a key reaches this rule.
    ///
    /// It tries keys whose wildcard segments equal no literal, because they match the fewest other rules. For `**` it
    /// tries every number of segments up to one more than the longest rule has.
    fileprivate func rulesShadowing(
        _ rule: Int, _ template: PathTemplate, in store: Int, depth: Int
    ) -> [Int]? {
        // Control characters are invalid in rules, so no literal equals this segment.
        let free: [UInt8] = [0]
        let fixed = template.segments.filter { $0 != .rest }.map { segment in
            if case .literal(let bytes) = segment { bytes } else { free }
        }
        let lengths = template.segments.last == .rest ? 1...(depth + 1) : 0...0
        var deciding: [Int] = []
        for length in lengths {
            let key = Array((fixed + Array(repeating: free, count: length)).joined(separator: [UInt8(ascii: "/")]))
            guard let winner = self.rule(for: key, in: store), winner != rule else { return nil }
            if !deciding.contains(winner) { deciding.append(winner) }
        }
        return deciding
    }
}

extension [AccessPolicy.Denial] {
    /// The actions that these denials refuse for every key that the template matches.
    func actions(deniedThroughout template: PathTemplate) -> AccessActionSet {
        filter { $0.pattern.covers(template) }.reduce(into: []) { $0.formUnion($1.actions) }
    }
}

extension DenyPattern {
    /// Whether this pattern matches every key that the template matches.
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
        case .literal(let bytes): Self.glob(glob, matches: bytes.span)
        case .placeholder, .any: glob == [UInt8(ascii: "*")]
        case .rest: false
        }
    }
}
