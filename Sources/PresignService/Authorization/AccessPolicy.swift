import Bytes

/// All access rules, compiled and immutable. Deny by default: what no rule grants is refused.
package struct AccessPolicy: Sendable {
    /// What is denied in one store.
    struct StoreDenials: Sendable {
        let name: String
        var denials: [Denial] = []
    }

    /// An entry of `deny`.
    struct Denial: Sendable {
        let pattern: DenyPattern
        let actions: AccessActionSet
        let reference: RuleReference
    }

    let stores: [StoreDenials]
    /// Their rules, by their places.
    let trie: RuleTrie
    private let defaultIndex: Int?
    let groups: GroupSemantics
    /// The rules of all stores, in the order of the file.
    package let rules: [AccessRule]

    init(
        stores: [StoreDenials], defaultStore: String?, groups: GroupSemantics, trie: RuleTrie, rules: [AccessRule]
    ) {
        self.stores = stores
        self.trie = trie
        defaultIndex = defaultStore.flatMap { name in
            stores.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
        }
        self.groups = groups
        self.rules = rules
    }

    /// Decides a request: path, denials, the one most specific rule, its grants, their limits.
    ///
    /// All names are compared as bytes. Nothing of the caller ever becomes a part of a pattern.
    package func decision(for request: AccessRequest) -> AccessDecision {
        if let refusal = ObjectKeyCheck.refusal(of: request.key) {
            return denied(request, .path(refusal), nil)
        }
        guard let store = index(ofStore: request.store) else { return denied(request, .noRule, nil) }
        let action = AccessActionSet(request.action)
        // By index: a denial holds much that is counted when it is copied.
        for index in stores[store].denials.indices
        where stores[store].denials[index].actions.contains(action)
            && stores[store].denials[index].pattern.matches(request.key)
        {
            let reference = stores[store].denials[index].reference
            return denied(request, .deny(pattern: reference.pattern), reference)
        }
        guard let rule = trie.rule(for: request.key, in: store) else { return denied(request, .noRule, nil) }
        return rules[rule].decision(for: request, groups: groups)
    }

    /// Where the rules of the named store are, of the default one for nil; nil when there is no such store.
    func index(ofStore name: String?) -> Int? {
        guard let name else { return defaultIndex }
        let wanted = name.utf8.span
        for index in stores.indices where stores[index].name.utf8.span.equals(wanted) { return index }
        return nil
    }

    private func denied(
        _ request: AccessRequest, _ reason: AccessDecision.Reason, _ rule: RuleReference?
    ) -> AccessDecision {
        .denied(.init(reason: reason, rule: rule, isGuest: request.caller.isGuest))
    }
}
