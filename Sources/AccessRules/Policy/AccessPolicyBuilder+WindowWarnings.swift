extension AccessPolicyBuilder {
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
