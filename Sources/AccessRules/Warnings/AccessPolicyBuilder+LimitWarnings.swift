import ConfigurationReading
import Presigning

extension AccessPolicyBuilder {
    /// Warns about denials of `write` without `multipart`, which still allow uploads.
    mutating func warnAboutOpenUploads(
        in store: Int, _ trie: RuleTrie, _ rules: [AccessRule], _ denials: [AccessPolicy.Denial]
    ) {
        let depth = rules.map(\.template.segments.count).max() ?? 0
        let (write, multipart) = (AccessActionSet(.write), AccessActionSet(.multipart))
        for denial in denials where denial.actions.contains(write) && !denial.actions.contains(multipart) {
            // A denial without `store` is in every store; warn once.
            guard !warnings.contains(where: { $0.position == denial.reference.position }) else { continue }
            let open = rules.enumerated().first { index, rule in
                rule.grants.contains { $0.actions.contains(multipart) }
                    && Self.keys(of: rule.template, in: denial.pattern, depth).contains { key in
                        trie.rule(for: key, in: store) == index
                            && !denials.contains { $0.actions.contains(multipart) && $0.pattern.matches(key) }
                    }
            }
            guard let open else { continue }
            warn(
                SourceText(denial.reference.pattern, at: denial.reference.position),
                "`\(denial.reference.pattern)` denies `write` but not `multipart`, which \(open.element.reference) "
                    + "grants there; add `multipart` to `actions`")
        }
    }

    /// Sample keys that both the template and the pattern match, one per number of segments up to where more segments
    /// no longer change the decision.
    ///
    /// - Parameter depth: The number of segments of the longest rule.
    private static func keys(of template: PathTemplate, in pattern: DenyPattern, _ depth: Int) -> [[UInt8]] {
        // Control characters are invalid in rules, so no literal equals this segment.
        let free: [UInt8] = [0]
        let lengths = template.segments.last == .rest ? 1...(max(pattern.segments.count, depth) + 1) : 0...0
        return lengths.compactMap { pattern.commonKey(with: template, rest: $0, free: free) }
    }

    /// Warns about limits on `write` that a grant of `multipart` bypasses.
    ///
    /// - Parameter limits: The limits of the grant, including the rule's.
    mutating func warnAboutMultipart(_ limits: AccessConstraints, of source: SourceText, actions: AccessActionSet) {
        guard let names = limits.names(where: limits.limitsOnlyWrite), actions.contains(.init(.multipart)) else {
            return
        }
        warn(
            source,
            "`\(source.text)` can bypass \(names) with `multipart`; "
                + (limits.partSize == nil && limits.maximumSize != nil
                    ? "set `multipart.partSize`, which limits the size, remove " : "remove ")
                + "`multipart`, or grant it in a rule without these limits")
    }

    /// Warns about limits on uploads without an action that they apply to.
    ///
    /// - Parameters:
    ///   - limits: The limits as written.
    ///   - effective: The same limits, including the rule's.
    mutating func warnAboutUploadLimits(
        _ limits: AccessConstraints, _ effective: AccessConstraints, of source: SourceText, actions: AccessActionSet
    ) {
        if let names = limits.names(where: { $0.section == .multipart }), !actions.contains(.init(.multipart)) {
            warn(
                source,
                "`\(source.text)` limits parts (\(names)) but does not grant `multipart`; remove the limit, or grant it"
            )
        }
        guard let names = limits.names(where: { $0.section == .write }) else { return }
        if actions.isDisjoint(with: .upload) {
            warn(
                source,
                "`\(source.text)` limits uploads (\(names)) but does not grant `write` or `multipart`; remove the "
                    + "limits, or grant one of them")
        } else if let names = limits.names(where: effective.limitsOnlyWrite), !actions.contains(.init(.write)) {
            warn(
                source,
                "`\(source.text)` sets \(names), which limits only `write`, but grants only `multipart`; grant `write` "
                    + "instead, or remove the limit")
        }
    }

    /// Warns about limits on `get` without a grant of `get`.
    mutating func warnAboutReadLimits(_ limits: AccessConstraints, of source: SourceText, actions: AccessActionSet) {
        guard let names = limits.names(where: { $0.section == .read }), !actions.contains(.init(.get)) else { return }
        warn(source, "`\(source.text)` limits `get` (\(names)) but does not grant it; remove the limit, or grant `get`")
    }

    /// Warns about share links for actions that are not granted.
    mutating func warnAboutShares(_ limits: AccessConstraints, of source: SourceText, actions: AccessActionSet) {
        for action in [AccessAction.get, .write] where limits.shareLifetime(for: action) > 0 {
            guard !actions.contains(.init(action)) else { continue }
            warn(
                source,
                "`\(source.text)` allows share links (`share.\(action.name)`) but does not grant `\(action.name)`; "
                    + "remove the key, or grant `\(action.name)`")
        }
    }

    /// Reports a `maxSize` that 10,000 parts of `partSize` cannot reach.
    mutating func checkSizes(_ limits: AccessConstraints, of source: SourceText) {
        guard !limits.canReachMaximumSize, let size = limits.maximumSize, let part = limits.partSize else { return }
        mistake(
            source,
            "`\(source.text)` has `maxSize` \(ByteSize(size)), but 10000 parts of `partSize` \(ByteSize(part)) are "
                + "smaller; raise `partSize`, or lower `maxSize`")
    }

    /// Warns about windows without effect, and about windows that do not fit the lifetimes of a rule.
    mutating func warnAboutWindows(in rule: AccessRule, as description: RuleDescription) {
        let path = SourceText(rule.reference.pattern, at: rule.reference.position)
        let get = AccessActionSet(.get)
        if description.constraints.sets(.window), !rule.grants.contains(where: { $0.actions.contains(get) }) {
            warnAboutUnusedWindow(of: path)
        }
        var isRuleChecked = false
        for (grant, name) in zip(rule.grants, rule.granteeNames) {
            let own = description.grants.first { $0.grantee.position == name.position }?.constraints
            guard grant.actions.contains(get) else {
                if own?.sets(.window) == true { warnAboutUnusedWindow(of: name) }
                continue
            }
            if own?.names(where: { $0.section == .expires }) != nil {
                warnAboutWindow(grant.constraints, of: name)
            } else if !isRuleChecked {
                isRuleChecked = true
                warnAboutWindow(grant.constraints, of: path)
            }
        }
    }

    private mutating func warnAboutUnusedWindow(of source: SourceText) {
        warn(
            source,
            "`\(source.text)` sets `expires.window`, which applies only to `get`, but does not grant it; remove it, or "
                + "grant `get`")
    }

    /// - Parameter limits: The limits of a grant, including the rule's and the store's window.
    private mutating func warnAboutWindow(_ limits: AccessConstraints, of source: SourceText) {
        guard let window = limits.window, window > 0 else { return }
        let maximum = min(limits.maximumExpiry ?? .max, Int64(expires.max))
        if window > maximum {
            warn(
                source,
                "`\(source.text)`: the window is \(window) s, so URLs live up to \(maximum + window) s, although the "
                    + "maximum is \(maximum) s; shorten the window, or set `expires: {window: 0s}` here")
        }
        let lifetime = min(limits.defaultExpiry ?? Int64(expires.default), maximum)
        let longest = Int64(ExpiryLimits.possible.upperBound)
        if lifetime + window > longest {
            warn(
                source,
                "`\(source.text)`: the default lifetime \(lifetime) s and the window \(window) s exceed \(longest) s "
                    + "(7 days), so the window of requests without `expiresIn` is only \(longest - lifetime) s; lower "
                    + "`expires.default` or the window")
        }
    }
}

extension AccessConstraints {
    /// Whether a limit applies to `write` but not to `multipart`.
    func limitsOnlyWrite(_ limit: AccessLimit) -> Bool {
        limit.section != .share && applies(limit, to: .write) && !applies(limit, to: .multipart)
    }

    /// The configuration keys of these limits that are set, such as "`maxSize` and `checksum`"; nil if none is set.
    func names(where isIncluded: (AccessLimit) -> Bool) -> String? {
        let names = AccessLimit.allCases.filter { sets($0) && isIncluded($0) }.map { "`\($0.rawValue)`" }
        return names.isEmpty ? nil : names.joined(separator: " and ")
    }
}
