package import Presigning
package import Requests
import Text

/// The compiled access rules of all stores. Deny by default: a request that no rule grants is refused.
package final class AccessPolicy: Sendable {
    /// A store's denials and its rules for listings.
    package struct StorePolicy: Sendable {
        package let name: String
        /// The length in bytes of the prefix that the store adds to every key.
        package let prefixLength: Int
        /// The window in seconds of the URLs of rules without their own; nil for none.
        let window: Int?
        /// Whether presign signs listings of the store.
        package let offersListing: Bool
        package internal(set) var denials: [Denial] = []
        /// The indices of the store's rules, in the order of the file.
        var rules: [Int] = []
        /// The rules that decide a listing of the whole store; empty if it offers none.
        var deciders: [RuleTrie.Decider] = []

        /// A store without rules.
        package init(_ name: String, prefixLength: Int = 0, window: Int? = nil, offersListing: Bool = false) {
            (self.name, self.prefixLength) = (name, prefixLength)
            (self.window, self.offersListing) = (window, offersListing)
        }
    }

    /// An entry of `deny`.
    package struct Denial: Sendable {
        package let pattern: DenyPattern
        package let actions: AccessActionSet
        package let reference: RuleReference
    }

    package let stores: [StorePolicy]
    /// Finds the deciding rule; its results are indices into `rules`.
    package let trie: RuleTrie
    private let defaultIndex: Int?
    package let groups: GroupSemantics
    /// The rules of all stores, in the order of the file.
    package let rules: [AccessRule]
    /// The service's limits on lifetimes.
    package let expires: ExpiryLimits

    init(_ inputs: PolicyInputs, groups: GroupSemantics, trie: RuleTrie, rules: [AccessRule]) {
        expires = inputs.expires
        stores = inputs.stores
        self.trie = trie
        defaultIndex = inputs.defaultStore.flatMap(inputs.index)
        self.groups = groups
        self.rules = rules
    }

    /// Decides a request in this order: path, denials, the most specific rule with its grants and limits, the limits of
    /// the store and the service. The service, `explain` and `test-rules` all decide here. A listing, and a deletion
    /// whose keys are unknown, are decided for all keys below the prefix.
    ///
    /// All names are compared as bytes. No value of the caller becomes part of a pattern.
    package func decision(for request: PresignRequest) -> AccessDecision {
        decision(for: request, in: index(ofStore: request.store))
    }

    /// Decides a request for the store with this index, as `decision(for:)` does; nil means an unknown store.
    package func decision(for request: PresignRequest, in store: Int?) -> AccessDecision {
        if request.concernsAllBelow {
            var asked = 0
            return listingDecision(for: request, in: store, asked: &asked)
        }
        if let refusal = ObjectKeyCheck.refusal(of: request.path) {
            return denied(request, .path(refusal), nil)
        }
        guard let store else { return denied(request, .noRule, nil) }
        // Anyone can have a link, so its rules must know who made it.
        if request.share != nil, request.caller.isGuest { return denied(request, .noGrant, nil) }
        let action = AccessActionSet(request.action)
        for denial in stores[store].denials
        where denial.actions.contains(action) && denial.pattern.matches(request.path) {
            return denied(request, .deny(pattern: denial.reference.pattern), denial.reference)
        }
        guard let rule = trie.rule(for: request.path, in: store) else { return denied(request, .noRule, nil) }
        let decision = rules[rule].decision(for: request, groups: groups)
        guard case .allowed(let allowance) = decision else { return decision }
        return limited(allowance, for: request, in: store)
    }

    /// Applies the limits of the store and the service to what a rule allows.
    func limited(
        _ allowance: consuming AccessDecision.Allowance, for request: PresignRequest, in store: Int
    ) -> AccessDecision {
        guard request.path.count + stores[store].prefixLength <= S3Limits.key else {
            return denied(request, .path(.tooLongWithPrefix), allowance.rule.reference)
        }
        do throws(ExpiryRefusal) {
            try allowance.resolveExpiry(of: request, service: expires)
            return .allowed(allowance)
        } catch {
            switch error {
            case .impossible: return denied(request, .expiry, allowance.rule.reference)
            case .tooLong(let requested, let maximum):
                return .unmet([.expiresIn(requested, maximum: maximum)], rule: allowance.rule)
            }
        }
    }

    /// The index of the named store, or of the default store for nil; nil for an unknown store.
    package func index(ofStore name: String?) -> Int? {
        guard let name else { return defaultIndex }
        let wanted = name.utf8.span
        for index in stores.indices where stores[index].name.utf8.span.equals(wanted) { return index }
        return nil
    }

    /// The names of the claims that rules name.
    package var claimNames: Set<[UInt8]> {
        Set(
            rules.flatMap(\.template.placeholders).compactMap {
                if case .claim(let name) = $0 { name } else { nil }
            })
    }

    /// The rules of a store, in the order of the file.
    package func rules(inStore store: Int) -> [AccessRule] {
        stores[store].rules.map { rules[$0] }
    }

    /// The caller's groups through which grants of the deciding rule reach the caller, for the audit; empty for a denied
    /// request.
    package func groups(reaching request: PresignRequest, by decision: AccessDecision) -> [[UInt8]] {
        if request.caller.groups.isEmpty { return [] }
        return switch decision {
        case .allowed(let allowance): allowance.rule.groups(reaching: request, groups)
        case .unmet(_, let rule): rule.groups(reaching: request, groups)
        case .denied: []
        }
    }

    func denied(
        _ request: PresignRequest, _ reason: AccessDecision.Reason, _ rule: RuleReference?
    ) -> AccessDecision {
        .denied(.init(reason: reason, rule: rule, isGuest: request.caller.isGuest))
    }

    /// Whether an upload with an unsigned `x-amz-copy-source` header would bypass a rule: rules grant uploads, and
    /// either restrict reads or limit uploads. The storage credentials then have to prevent such copies.
    ///
    /// - Parameter hasPrefix: Whether the store's keys are only a part of the bucket's.
    package func reliesOnCredentials(inStore name: String, hasPrefix: Bool) -> Bool {
        guard let store = index(ofStore: name) else { return false }
        let rules = rules(inStore: store)
        let uploads = rules.flatMap(\.grants).filter { !$0.actions.isDisjoint(with: .upload) }
        guard !uploads.isEmpty else { return false }
        let everyoneReads =
            rules.contains { $0.template.segments == [.rest] }
            && rules.allSatisfy { rule in
                rule.grants.contains { $0.grantee == .everyone && $0.actions.contains(.init(.get)) }
            }
            && !stores[store].denials.contains { $0.actions.contains(.init(.get)) }
        return hasPrefix || !everyoneReads || uploads.contains { $0.constraints.restrictsUploads }
    }

    /// Returns every action that the caller may perform on an object, in the order of `AccessAction`. The only action
    /// on a prefix is to list it.
    ///
    /// If several grants allow an action, the limits are those of the widest one. A request within them is allowed.
    ///
    /// - Parameters:
    ///   - key: The object's path without the store's prefix; or a prefix, which is empty or ends in a slash.
    ///   - store: The store's name; nil for the default store.
    /// - Throws: The denial of an invalid path.
    package func permissions(
        of caller: Caller, on key: [UInt8], in store: String?
    ) throws(AccessDecision.Denial) -> [Permission] {
        var permissions: [Permission] = []
        let isPrefix = PresignRequest(caller: caller, action: .list, path: key).isListing
        for action in AccessAction.allCases where (action == .list) == isPrefix {
            var request = PresignRequest(caller: caller, action: action, path: key, store: store)
            request.asksForLimits = true
            switch decision(for: request) {
            case .allowed(let allowance):
                permissions.append(
                    Permission(
                        action: action, constraints: allowance.constraints.applicable(to: action),
                        defaultExpiry: allowance.expiresIn,
                        maximumExpiry: expires.maximum(within: allowance.constraints)))
            case .denied(let denial):
                if case .path = denial.reason { throw denial }
            case .unmet: break
            }
        }
        return permissions
    }
}

/// An action that a caller may perform on an object, with its limits.
package struct Permission: Equatable, Sendable {
    /// The action.
    package let action: AccessAction
    /// The limits on the action; others are nil.
    package let constraints: AccessConstraints
    /// The lifetime in seconds of a URL whose request names none.
    package let defaultExpiry: Int64
    /// The maximum lifetime of a URL in seconds.
    package let maximumExpiry: Int64
}
