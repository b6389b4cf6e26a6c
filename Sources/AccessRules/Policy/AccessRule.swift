import Presigning
package import Requests

/// A rule: the grants that apply to the keys that its template matches.
package final class AccessRule: Equatable, Sendable {
    /// The actions granted to one grantee, and the limits on them: the rule's, overridden by the grantee's own.
    package final class Grant: Hashable, Sendable {
        package let grantee: Grantee
        /// The grantee as written in the configuration.
        package let name: SourceText
        package let actions: AccessActionSet
        package let constraints: AccessConstraints
        /// The actions that a limit applies to, besides those on lifetimes.
        private let limitedActions: AccessActionSet

        init(
            _ grantee: Grantee, _ name: SourceText, actions: AccessActionSet, constraints: AccessConstraints,
            limitedActions: AccessActionSet
        ) {
            (self.grantee, self.name, self.actions) = (grantee, name, actions)
            (self.constraints, self.limitedActions) = (constraints, limitedActions)
        }

        /// Whether a request could fail to meet the limits. A decision compares only such requests.
        func canRefuse(_ request: PresignRequest) -> Bool {
            (limitedActions.contains(.init(request.action)) && !request.asksForLimits) || request.hasRestrictedOptions
                || (request.expiresIn != nil && constraints.maximumExpiry != nil) || request.share != nil
        }

        /// Whether two grants give the same actions to the same grantee, with the same limits.
        package static func == (left: Grant, right: Grant) -> Bool {
            left === right
                || (left.grantee == right.grantee && left.actions == right.actions
                    && left.constraints == right.constraints)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(grantee)
            hasher.combine(actions)
        }
    }

    package let template: PathTemplate
    package let reference: RuleReference
    package let grants: [Grant]

    init(template: PathTemplate, reference: RuleReference, grants: [Grant]) {
        (self.template, self.reference, self.grants) = (template, reference, grants)
    }

    /// Decides by the grants that reach the caller. Grants add up: if the request meets the limits of several, the
    /// widest one counts.
    package func decision(for request: PresignRequest, groups: GroupSemantics) -> AccessDecision {
        let action = AccessActionSet(request.action)
        var best: AccessDecision.Allowance?
        var nearest: [UnmetConstraint]?
        for grant in grants where grant.actions.contains(action) && includes(request, grant.grantee, groups) {
            if grant.canRefuse(request) {
                let unmet = grant.constraints.unmet(by: request)
                guard unmet.isEmpty else {
                    if unmet.count < nearest?.count ?? .max { nearest = unmet }
                    continue
                }
            }
            let allowance = AccessDecision.Allowance(of: self, grant, to: request)
            if let best, !allowance.isWider(than: best, for: request) { continue }
            best = allowance
        }
        if let best { return .allowed(best) }
        if let nearest { return .unmet(nearest, rule: self) }
        return .denied(.init(reason: .noGrant, rule: reference, isGuest: request.caller.isGuest))
    }

    /// The actions that grants give to the caller of a request whose key the template matches. A grant's limits can
    /// still refuse the request.
    func grantedActions(for request: PresignRequest, groups: GroupSemantics) -> AccessActionSet {
        var actions: AccessActionSet = []
        for grant in grants where !actions.isSuperset(of: grant.actions) && includes(request, grant.grantee, groups) {
            actions.formUnion(grant.actions)
        }
        return actions
    }

    /// Whether the grantee includes the caller of a request whose key the template matches.
    package func includes(_ request: PresignRequest, _ grantee: Grantee, _ groups: GroupSemantics) -> Bool {
        let caller = request.caller
        if groups == .exclusive, !caller.groups.isEmpty {
            // As in Amplify: Cognito gives a user in a group only the group's role.
            if grantee == .authenticated { return false }
            if grantee == .owner, template.placeholders.contains(.identity) { return false }
        }
        return grantee.includes(caller, template: template, key: request.path)
    }
}

extension AccessRule {
    package static func == (left: AccessRule, right: AccessRule) -> Bool {
        left === right || left.reference == right.reference
    }

    /// The caller's groups through which grants reach the caller of a request whose key the template matches.
    func groups(reaching request: PresignRequest, _ semantics: GroupSemantics) -> [[UInt8]] {
        var groups: [[UInt8]] = []
        for grant in grants
        where grant.actions.contains(.init(request.action)) && includes(request, grant.grantee, semantics) {
            switch grant.grantee {
            case .group(let name): groups.append(name)
            case .owner, .placeholder(.group):
                let captured = template.firstCapture(in: request.path) { placeholder, _ in placeholder == .group }
                if let captured { groups.append(Array(captured.segment)) }
            case .everyone, .guest, .authenticated, .placeholder, .apiKey, .certificate: break
            }
        }
        return groups
    }
}

/// Whether callers in a group keep the grants of all signed-in callers.
package enum GroupSemantics: Sendable {
    /// They keep them: grants add up.
    case additive
    /// They lose them, as in Amplify: `authenticated`, and `owner` by identity, do not include callers in a group.
    case exclusive
}

extension AccessDecision.Allowance {
    /// Whether this allowance permits more. A request for the limits compares all of them; others in this order:
    /// 1. It permits to replace an object.
    /// 2. The rule adds fewer settings, and no checksum algorithm.
    /// 3. Its maximum lifetime, its default lifetime and its window are longer.
    fileprivate func isWider(than other: Self, for request: PresignRequest) -> Bool {
        if request.asksForLimits { return constraints.areWider(than: other.constraints, for: request.action) }
        if requiresIfNoneMatch != other.requiresIfNoneMatch { return other.requiresIfNoneMatch }
        if settings.count != other.settings.count { return settings.count < other.settings.count }
        if checksumAlgorithm != other.checksumAlgorithm { return checksumAlgorithm == nil }
        let (maximum, otherMaximum) = (constraints.maximumExpiry ?? .max, other.constraints.maximumExpiry ?? .max)
        if maximum != otherMaximum { return maximum > otherMaximum }
        let (standard, otherStandard) = (constraints.defaultExpiry ?? .max, other.constraints.defaultExpiry ?? .max)
        if standard != otherStandard { return standard > otherStandard }
        let (window, otherWindow) = (constraints.window ?? 0, other.constraints.window ?? 0)
        if window != otherWindow { return window > otherWindow }
        return settings.flatMap(\.value).lexicographicallyPrecedes(other.settings.flatMap(\.value))
    }
}

extension PresignRequest {
    /// Whether the request has options that a rule without limits can refuse.
    fileprivate var hasRestrictedOptions: Bool {
        !responseOverrides.isEmpty || !settings.isEmpty || (hasRareFields && (self.versionId != nil || isForm))
    }
}
