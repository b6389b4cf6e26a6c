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

extension AccessPolicy {
    /// Returns every action that the caller may perform on an object, in the order of `AccessAction`. The only action
    /// on a prefix is to list it.
    ///
    /// If several grants allow an action, the limits are those of the widest one. A request within them is allowed.
    ///
    /// - Parameters:
    ///   - caller: The caller.
    ///   - key: The object's path without the store's prefix; or a prefix, which is empty or ends in a slash.
    ///   - store: The store's name; nil for the default store.
    /// - Throws: The denial of an invalid path.
    package func permissions(
        of caller: Caller, on key: [UInt8], in store: String?
    ) throws(AccessDecision.Denial) -> [Permission] {
        var permissions: [Permission] = []
        let isPrefix = AccessRequest(caller: caller, action: .list, key: key).isListing
        for action in AccessAction.allCases where (action == .list) == isPrefix {
            var request = AccessRequest(caller: caller, action: action, key: key, store: store)
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
