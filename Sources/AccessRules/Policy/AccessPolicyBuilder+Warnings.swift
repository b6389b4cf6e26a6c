import HTTP1

extension AccessPolicyBuilder {
    /// Signing in should not take anything away, but `guest` does not include callers who have signed in.
    mutating func warnAboutGuests(in rule: AccessRule) {
        // Nobody but `everyone` and `authenticated` reaches every signed-in caller, and not even these two always.
        let forAll = rule.grants.filter {
            $0.grantee == .everyone || ($0.grantee == .authenticated && groups == .additive)
        }
        for (grant, name) in zip(rule.grants, rule.granteeNames) where grant.grantee == .guest {
            var excess: AccessActionSet = []
            var wider: AccessActionSet = []
            for action in AccessAction.allCases where grant.actions.contains(.init(action)) {
                let others = forAll.filter { $0.actions.contains(.init(action)) }
                if others.isEmpty {
                    excess.insert(.init(action))
                } else if !others.contains(where: { $0.constraints.admitsAll(of: grant.constraints, for: action) }) {
                    wider.insert(.init(action))
                }
            }
            let who = groups == .additive ? "signed-in callers" : "signed-in callers in a group (`groups: exclusive`)"
            if !excess.isEmpty {
                warn(name, "guests may do more than \(who) (\(excess.names)); use `everyone` if that is not meant")
            }
            if !wider.isEmpty {
                warn(name, "guests have wider limits than \(who) (\(wider.names)); use `everyone` if that is not meant")
            }
        }
    }

    /// Limits that nothing is ever held to.
    mutating func warnAboutLimits(in rule: AccessRule, as description: RuleDescription) {
        let all = rule.grants.reduce(into: AccessActionSet()) { $0.formUnion($1.actions) }
        warnAboutUploadLimits(description.constraints, of: description.path, actions: all)
        warnAboutReadLimits(description.constraints, of: description.path, actions: all)
        warnAboutExpiry(description.constraints, of: description.path)
        for written in description.grants {
            guard let index = rule.granteeNames.firstIndex(where: { $0.position == written.grantee.position }) else {
                continue
            }
            let grant = rule.grants[index]
            warnAboutUploadLimits(written.constraints, of: written.grantee, actions: grant.actions)
            warnAboutReadLimits(written.constraints, of: written.grantee, actions: grant.actions)
            // Without `write` the limits hold for nothing at all, which is warned of already.
            let uploaders = written.constraints.boundsContent ? grant.actions : all
            if uploaders.contains(.init(.write)) {
                warnAboutMultipart(grant.constraints, of: written.grantee, actions: grant.actions)
            }
            if written.constraints.defaultExpiry != nil || written.constraints.maximumExpiry != nil {
                warnAboutExpiry(rule.grants[index].constraints, of: written.grantee)
            }
        }
    }

    private mutating func warnAboutUploadLimits(
        _ limits: AccessConstraints, of place: SourceText, actions: AccessActionSet
    ) {
        guard limits.limitsUploads || limits.overwrite != nil else { return }
        if actions.isDisjoint(with: [.init(.write), .init(.multipart)]) {
            warn(place, "`\(place.text)` has limits on uploads but may not upload")
        } else if limits.boundsContent, !actions.contains(.init(.write)) {
            warn(
                place, "`\(place.text)` has a size or a checksum that nothing is held to: `multipart` cannot be bounded"
            )
        }
    }

    private mutating func warnAboutExpiry(_ limits: AccessConstraints, of place: SourceText) {
        let longestExpiry = Int64(expires.max)
        let ceiling = min(limits.maximumExpiry ?? longestExpiry, longestExpiry)
        if let given = limits.maximumExpiry, given > longestExpiry {
            warn(place, "`\(place.text)` allows \(given) s, but `expires.max` of the service is \(longestExpiry) s")
        }
        if let given = limits.defaultExpiry, given > ceiling {
            warn(place, "`\(place.text)` has a default of \(given) s, but at most \(ceiling) s are allowed here")
        }
    }

    /// Rules that no request reaches, and literals that stand where a caller's own value could.
    mutating func warnAboutShadows(
        in store: Int, _ trie: RuleTrie, _ rules: [AccessRule], _ denials: [AccessPolicy.Denial]
    ) {
        let depth = rules.map(\.template.segments.count).max() ?? 0
        for (number, rule) in rules.enumerated() where trie.rule(at: rule.template.segments, in: store) == number {
            let place = SourceText(rule.reference.pattern, at: rule.reference.position)
            let granted = rule.grants.reduce(into: AccessActionSet()) { $0.formUnion($1.actions) }
            let covering = denials.filter { $0.pattern.covers(rule.template) }
            let denied = covering.reduce(into: AccessActionSet()) { $0.formUnion($1.actions) }
            if denied.isSuperset(of: granted) {
                let places = Self.places(covering.map(\.reference))
                warn(place, "the rule `\(place.text)` is never reached: \(places) denies all of it")
            }
            if let deciding = trie.rulesInsteadOf(number, rule.template, in: store, depth: depth) {
                let places = Self.places(deciding.map { rules[$0].reference })
                warn(place, "the rule `\(place.text)` is never reached: \(places) decides wherever it matches")
            }
            if let literal = trie.literalBesidePlaceholder(at: rule.template.segments, in: store) {
                let name = String(decoding: literal, as: UTF8.self)
                warn(
                    place,
                    "the segment `\(name)` of `\(place.text)` stands beside a placeholder: a caller whose own value "
                        + "is `\(name)` falls under this rule there")
            }
        }
    }

    private static func places(_ references: [RuleReference]) -> String {
        references.map(\.description).joined(separator: " and ")
    }
}

extension AccessConstraints {
    /// Limits on what is in an upload, which hold for `write` only.
    var boundsContent: Bool { maximumSize != nil || checksum != nil }

    /// Whether whatever meets the other limits meets these as well.
    func admitsAll(of other: AccessConstraints, for action: AccessAction) -> Bool {
        guard maximumExpiry ?? .max >= other.maximumExpiry ?? .max else { return false }
        if action == .get, !(overrides ?? .attachment).admitsAll(of: other.overrides ?? .attachment) { return false }
        guard action == .write || action == .multipart else { return true }
        if let types {
            guard let others = other.types, others.allSatisfy({ type in types.contains { $0.contains(type) } }) else {
                return false
            }
        }
        if overwrite == false, other.overwrite != false { return false }
        guard action == .write else { return true }
        return maximumSize ?? .max >= other.maximumSize ?? .max && (checksum == nil || checksum == other.checksum)
    }
}

extension RuleTrie {
    /// The rules that decide instead of one wherever it matches, which is then never reached; nil when it is reached.
    ///
    /// Of all keys that a template matches, those whose free segments are no literal of any rule match the fewest
    /// other rules, so it is enough to look at these: one for each number of segments that `**` can stand for, up to
    /// where no other rule is that long.
    fileprivate func rulesInsteadOf(
        _ rule: Int, _ template: PathTemplate, in store: Int, depth: Int
    ) -> [Int]? {
        // No segment of a rule holds a control character.
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
        case .literal(let bytes): Self.glob(glob, matches: bytes.span)
        case .placeholder, .any: glob == [UInt8(ascii: "*")]
        case .rest: false
        }
    }
}
