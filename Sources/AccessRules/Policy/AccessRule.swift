import HTTP1

/// One rule: what it grants to whom on the keys that its template matches.
package final class AccessRule: Sendable {
    /// Actions for one grantee, with the rule's limits overridden by the grantee's own. A class, so that a decision that
    /// goes through them copies none.
    package final class Grant: Sendable {
        package let grantee: Grantee
        package let actions: AccessActionSet
        package let constraints: AccessConstraints
        /// Whether there are limits; most grants have none.
        let isLimited: Bool

        package init(grantee: Grantee, actions: AccessActionSet, constraints: AccessConstraints) {
            isLimited = constraints != AccessConstraints()
            self.grantee = grantee
            self.actions = actions
            self.constraints = constraints
        }
    }

    package let template: PathTemplate
    package let reference: RuleReference
    package let grants: [Grant]
    /// The grantees of the grants as the configuration has them; apart from the grants, which every decision goes through.
    package let granteeNames: [SourceText]

    package init(template: PathTemplate, reference: RuleReference, grants: [Grant], granteeNames: [SourceText]) {
        self.template = template
        self.reference = reference
        self.grants = grants
        self.granteeNames = granteeNames
    }

    /// Decides by the grants that apply to the caller; they add up. Of several that are met the widest one counts.
    package func decision(for request: AccessRequest, groups: GroupSemantics) -> AccessDecision {
        let action = AccessActionSet(request.action)
        var best: AccessDecision.Allowance?
        var nearest: [UnmetConstraint]?
        // By index: to hold a grant would count it.
        for index in grants.indices
        where grants[index].actions.contains(action) && includes(request, grants[index].grantee, groups) {
            if grants[index].isLimited || !request.responseOverrides.isEmpty {
                let unmet = grants[index].unmet(by: request)
                guard unmet.isEmpty else {
                    if unmet.count < nearest?.count ?? .max { nearest = unmet }
                    continue
                }
            }
            let allowance = allowance(ofGrant: index, for: request)
            if best.map({ allowance.isWider(than: $0) }) ?? true { best = allowance }
        }
        if let best { return .allowed(best) }
        if let nearest { return .unmet(nearest, rule: reference) }
        return .denied(.init(reason: .noGrant, rule: reference, isGuest: request.caller.isGuest))
    }

    package func includes(_ request: AccessRequest, _ grantee: Grantee, _ groups: GroupSemantics) -> Bool {
        let caller = request.caller
        if groups == .exclusive, !caller.groups.isEmpty {
            // Cognito hands a user in a group the group's role only, so these do not reach it in Amplify.
            if grantee == .authenticated { return false }
            if grantee == .owner, template.placeholders.contains(.identity) { return false }
        }
        return grantee.includes(caller, template: template, key: request.key)
    }

    private func allowance(ofGrant index: Int, for request: AccessRequest) -> AccessDecision.Allowance {
        .init(
            rule: reference, requiresIfNoneMatch: request.makesObject && grants[index].constraints.overwrite == false,
            defaultExpiry: grants[index].constraints.defaultExpiry,
            maximumExpiry: grants[index].constraints.maximumExpiry)
    }
}

extension AccessRule.Grant {
    /// What of the request does not meet the limits, all of it. Size and checksum count for `write` only, types
    /// for whatever sets one, overrides for `get`.
    package func unmet(by request: AccessRequest) -> [UnmetConstraint] {
        var unmet: [UnmetConstraint] = []
        if request.setsContentType, let types = constraints.types,
            !types.contains(where: { $0.contains(request.contentType ?? "") })
        {
            unmet.append(.contentType(request.contentType, allowed: types))
        }
        if request.action == .write {
            if let maximumSize = constraints.maximumSize, !(0...maximumSize ~= request.contentLength ?? -1) {
                unmet.append(.contentLength(request.contentLength, maximum: maximumSize))
            }
            if let checksum = constraints.checksum, request.checksum != checksum {
                unmet.append(.checksum(checksum))
            }
        }
        if request.action == .get, !request.responseOverrides.isEmpty {
            let admitted = constraints.overrides ?? .attachment
            unmet += admitted.refused(of: request.responseOverrides).map { .responseOverride($0, admitted: admitted) }
        }
        if let maximumExpiry = constraints.maximumExpiry, let expiresIn = request.expiresIn,
            expiresIn > maximumExpiry
        {
            unmet.append(.expiresIn(expiresIn, maximum: maximumExpiry))
        }
        return unmet
    }
}

/// What membership in a group does to grants for all signed-in callers.
package enum GroupSemantics: Sendable {
    /// Nothing: grants add up.
    case additive
    /// As in Amplify: `authenticated`, and `owner` by identity, do not reach callers who are in a group.
    case exclusive
}

extension AccessDecision.Allowance {
    /// Independent of the order of grants: fewer duties first, then longer life.
    fileprivate func isWider(than other: Self) -> Bool {
        if requiresIfNoneMatch != other.requiresIfNoneMatch { return other.requiresIfNoneMatch }
        let (limit, otherLimit) = (maximumExpiry ?? .max, other.maximumExpiry ?? .max)
        if limit != otherLimit { return limit > otherLimit }
        return (defaultExpiry ?? .max) > (other.defaultExpiry ?? .max)
    }
}
