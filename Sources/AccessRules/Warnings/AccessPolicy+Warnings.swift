import DataFormats
import Presigning
import Requests
import Text

extension AccessPolicy {
    /// Warnings about valid rules that leave open what they seem to close, or that have no effect.
    var warnings: [ConfigurationError] {
        stores.indices.flatMap { shadows(in: $0) } + openUploads + rules.flatMap(guestAdvantages)
            + rules.flatMap(bypasses) + rules.flatMap(longWindows) + rules.flatMap(largeUploads)
            + rules.flatMap(publicObjects)
    }

    /// Warnings about grants to `guest` that callers lose by signing in, because `guest` does not include signed-in
    /// callers.
    private func guestAdvantages(in rule: AccessRule) -> [ConfigurationError] {
        // The grants to all signed-in callers. With `groups: exclusive`, `authenticated` excludes callers in a group.
        let signedIn = rule.grants.filter {
            $0.grantee == .everyone || ($0.grantee == .authenticated && groups == .additive)
        }.reduce(into: AccessActionSet()) { $0.formUnion($1.actions) }
        let callers = groups == .additive ? "signed-in callers" : "signed-in callers in a group (`groups: exclusive`)"
        return rule.grants.compactMap { grant in
            let excess = grant.actions.subtracting(signedIn)
            guard grant.grantee == .guest, !excess.isEmpty else { return nil }
            return ConfigurationError(
                grant.name.position,
                "guests may do more than \(callers) (\(excess.names)); use `everyone` instead of `guest` unless this is "
                    + "intended")
        }
    }

    /// Warnings about limits on `write` that a grant of `multipart` bypasses.
    private func bypasses(in rule: AccessRule) -> [ConfigurationError] {
        rule.grants.compactMap { grant in
            let (limits, name) = (grant.constraints, grant.name)
            let bypassed = AccessLimit.allCases.filter { limits.sets($0) && limits.limitsOnlyWrite($0) }
            guard grant.actions.contains(.init(.multipart)), !bypassed.isEmpty else { return nil }
            return ConfigurationError(
                name.position,
                "\(name.text.quoted) can bypass \(bypassed.map { "`\($0.rawValue)`" }.joined(separator: " and ")) with "
                    + "`multipart`; "
                    + (limits.partSize == nil && limits.maximumSize != nil
                        ? "set `multipart.partSize`, which limits the size, remove " : "remove ")
                    + "`multipart`, or grant it in a rule without these limits")
        }
    }

    /// Warnings about windows in which URLs live longer than the maximum.
    private func longWindows(in rule: AccessRule) -> [ConfigurationError] {
        let long = sources(of: rule, granting: .init(.get)) { $0.window ?? 0 > expires.maximum(within: $0) }
        return long.map { limits, source in
            let (window, maximum) = (limits.window ?? 0, expires.maximum(within: limits))
            return ConfigurationError(
                source.position,
                "\(source.text.quoted): the window is \(window) s, so URLs live up to \(maximum + window) s, although the "
                    + "maximum is \(maximum) s; shorten the window, or set `expires: {window: 0s}` here")
        }
    }

    /// Warnings about objects that everyone can read without a URL.
    private func publicObjects(in rule: AccessRule) -> [ConfigurationError] {
        let list = { (limits: AccessConstraints) in limits.set?.first { $0.name == .acl } }
        let open = sources(of: rule, granting: .upload) { limits in
            list(limits).map(\.makesPublic) ?? (limits.accept?.contains(.acl) == true)
        }
        return open.map { limits, source in
            let (cause, key) =
                list(limits) == nil
                ? ("accepts `acl`, with which callers can make their uploads public", "accept")
                : ("makes every upload public (`acl: public-read`)", "set")
            return ConfigurationError(
                source.position,
                "\(source.text.quoted) \(cause): anyone can read a public object without a URL, whatever the rules say; "
                    + "remove `acl` from `\(key)` unless this is intended")
        }
    }

    /// Returns the grantees of a rule with these limits, or the rule if these are all grantees of one of the actions and
    /// have the same limits.
    private func sources(
        of rule: AccessRule, granting actions: AccessActionSet, where isMeant: (AccessConstraints) -> Bool
    ) -> [(AccessConstraints, SourceText)] {
        let grants = rule.grants.filter { !$0.actions.isDisjoint(with: actions) }
        let found = grants.filter { isMeant($0.constraints) }.map { ($0.constraints, $0.name) }
        let path = SourceText(rule.reference.pattern, at: rule.reference.position)
        guard found.count == grants.count, found.allSatisfy({ $0.0 == found[0].0 }) else { return found }
        return found.prefix(1).map { ($0.0, path) }
    }

    /// A warning about a `maxSize` that no upload can reach, because the same callers may not upload in parts.
    private func largeUploads(in rule: AccessRule) -> [ConfigurationError] {
        let inParts = rule.grants.filter { $0.actions.contains(.init(.multipart)) }.map(\.grantee)
        let reaching = rule.grants.first { grant in
            let isSignedIn = grant.grantee != .everyone && grant.grantee != .guest
            return grant.actions.contains(.init(.write)) && grant.constraints.maximumSize ?? 0 > Int64(S3Limits.upload)
                && !inParts.contains { $0 == .everyone || $0 == grant.grantee || ($0 == .authenticated && isSignedIn) }
        }
        guard let reaching, let size = reaching.constraints.maximumSize else { return [] }
        return [
            ConfigurationError(
                reaching.name.position,
                "\(reaching.name.text.quoted) has `maxSize` \(ByteSize(size)), but storages accept at most 5 GiB in one "
                    + "PUT; grant `multipart` with `multipart.partSize`, or lower `maxSize`")
        ]
    }

    /// Warnings about denials of `write` without `multipart`, which still allow uploads where a rule grants `multipart`.
    private var openUploads: [ConfigurationError] {
        let (write, multipart) = (AccessActionSet(.write), AccessActionSet(.multipart))
        var warnings: [ConfigurationError] = []
        for store in stores {
            let closed = store.denials.filter { $0.actions.contains(multipart) }
            for denial in store.denials where denial.actions.contains(write) && !denial.actions.contains(multipart) {
                // A denial without `store` is in every store; warn once.
                guard !warnings.contains(where: { $0.position == denial.reference.position }) else { continue }
                let open = store.rules.map { rules[$0] }.first { rule in
                    rule.grants.contains { $0.actions.contains(multipart) }
                        && denial.pattern.canOverlap(rule.template)
                        && !closed.contains { $0.pattern.covers(rule.template) }
                }
                guard let open else { continue }
                warnings.append(
                    ConfigurationError(
                        denial.reference.position,
                        "\(denial.reference.pattern.quoted) denies `write` but not `multipart`, which \(open.reference) grants; "
                            + "add `multipart` to `actions`"))
            }
        }
        return warnings
    }

    /// Warnings about rules that no request reaches, and about literals that a caller's own value could equal.
    private func shadows(in store: Int) -> [ConfigurationError] {
        let (denials, depth) = (stores[store].denials, rules.map(\.template.segments.count).max() ?? 0)
        return stores[store].rules.flatMap { index -> [ConfigurationError] in
            let rule = rules[index]
            guard trie.rule(at: rule.template.segments, in: store) == index else { return [] }
            var messages: [String] = []
            let pattern = rule.reference.pattern
            let granted = rule.grants.reduce(into: AccessActionSet()) { $0.formUnion($1.actions) }
            if denials.actions(deniedThroughout: rule.template).isSuperset(of: granted) {
                let names = Self.names(denials.filter { $0.pattern.covers(rule.template) }.map(\.reference))
                messages.append(
                    "the rule \(pattern.quoted) is never reached, because `deny` covers every action it grants: \(names); "
                        + "remove the rule, or narrow the denial")
            }
            if let deciding = trie.rulesShadowing(index, rule.template, in: store, depth: depth) {
                let names = Self.names(deciding.map { rules[$0].reference })
                messages.append(
                    "the rule \(pattern.quoted) is never reached, because more specific rules decide all its keys: \(names); "
                        + "remove it, or change its path")
            }
            if let literal = trie.literalBesidePlaceholder(at: rule.template.segments, in: store) {
                let name = String(decoding: literal, as: UTF8.self)
                messages.append(
                    "the segment \(name.quoted) of \(pattern.quoted) is beside a placeholder: a caller whose own value is "
                        + "\(name.quoted) gets this rule instead; rename the segment if a caller can have that value")
            }
            return messages.map { ConfigurationError(rule.reference.position, $0) }
        }
    }

    private static func names(_ references: [RuleReference]) -> String {
        references.map(\.description).joined(separator: " and ")
    }
}

extension AccessConstraints {
    /// Whether a limit applies to `write` but not to `multipart`.
    fileprivate func limitsOnlyWrite(_ limit: AccessLimit) -> Bool {
        limit.section != .share && applies(limit, to: .write) && !applies(limit, to: .multipart)
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

    /// Whether a key can match both. Compares the segments before the first `**` only, so it can be true if none does.
    func canOverlap(_ template: PathTemplate) -> Bool {
        for (segment, other) in zip(segments, template.segments) {
            guard case .glob(let glob) = segment, other != .rest else { return true }
            if case .literal(let bytes) = other, !Self.glob(glob, matches: bytes.span) { return false }
        }
        return segments.count == template.segments.count
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
