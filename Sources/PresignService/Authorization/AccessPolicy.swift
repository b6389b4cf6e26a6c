import Bytes

/// All access rules, compiled and immutable. Deny by default: what no rule grants is refused.
package struct AccessPolicy: Sendable {
    /// The rules and denials of one store.
    struct StoreRules: Sendable {
        let name: String
        var trie = RuleTrie()
        var denials: [Denial] = []
    }

    /// An entry of `deny`.
    struct Denial: Sendable {
        let pattern: DenyPattern
        let actions: AccessActionSet
        let reference: RuleReference
    }

    let stores: [StoreRules]
    let defaultStore: String?
    let groups: GroupSemantics
    /// The rules of all stores, in the order of the file.
    package let rules: [AccessRule]

    /// Decides a request: path, denials, the one most specific rule, its grants, their limits.
    ///
    /// All names are compared as bytes. Nothing of the caller ever becomes a part of a pattern.
    package func decision(for request: AccessRequest) -> AccessDecision {
        if let refusal = ObjectKeyCheck.refusal(of: request.key) {
            return denied(request, .path(refusal), nil)
        }
        guard let store = store(request.store) else { return denied(request, .noRule, nil) }
        let action = AccessActionSet(request.action)
        for denial in store.denials where denial.actions.contains(action) && denial.pattern.matches(request.key) {
            return denied(request, .deny(pattern: denial.reference.pattern), denial.reference)
        }
        guard let rule = store.trie.rule(for: request.key) else { return denied(request, .noRule, nil) }
        return rules[rule].decision(for: request, groups: groups)
    }

    /// The rules of the named store, of the default one for nil; nil when there is no such store.
    private func store(_ name: String?) -> StoreRules? {
        guard let name = name ?? defaultStore else { return nil }
        let wanted = name.utf8.span
        for index in stores.indices where stores[index].name.utf8.span.equals(wanted) { return stores[index] }
        return nil
    }

    private func denied(
        _ request: AccessRequest, _ reason: AccessDecision.Reason, _ rule: RuleReference?
    ) -> AccessDecision {
        .denied(.init(reason: reason, rule: rule, isGuest: request.caller.isGuest))
    }
}
