package import AccessRules

/// Why a request is decided as it is; for whoever keeps the rules, never for the caller.
package struct AccessExplanation: Sendable {
    /// A grant of the deciding rule.
    package struct Grant: Sendable {
        /// For whom, and where that stands.
        package let grantee: SourceText
        /// What is granted.
        package let actions: AccessActionSet
        /// Why it does not reach this request; nil when it does.
        package let obstacle: String?
        /// The limits it would hold the request to and that are not met; empty where it does not reach it.
        package let unmet: [String]

        /// Whether this grant alone allows the request.
        package var allows: Bool { obstacle == nil && unmet.isEmpty }
    }

    /// The decision, exactly as the service makes it.
    package let decision: AccessDecision
    /// The entries of `deny` that refuse the request.
    package let denials: [RuleReference]
    /// The most specific rule that matches; it decides, unless a denial or the path does.
    package let rule: RuleReference?
    /// The rule's grants in the order of the file.
    package let grants: [Grant]
    /// Rules that match as well and are less specific, so that nothing of theirs counts.
    package let passedOver: [RuleReference]
    /// Whether the request is a multipart upload in general, without a step.
    let isOfAnyStep: Bool
}

extension AccessPolicy {
    /// Decides a request and says why.
    package func explanation(for request: AccessRequest) -> AccessExplanation {
        let decision = decision(for: request)
        guard ObjectKeyCheck.refusal(of: request.key) == nil, let index = index(ofStore: request.store) else {
            return AccessExplanation(
                decision: decision, denials: [], rule: nil, grants: [], passedOver: [], isOfAnyStep: false)
        }
        let action = AccessActionSet(request.action)
        let denials = stores[index].denials.filter { $0.actions.contains(action) && $0.pattern.matches(request.key) }
        let number = trie.rule(for: request.key, in: index)
        let others = rules.enumerated().filter { other, rule in
            other != number && rule.template.matches(request.key)
                && trie.rule(at: rule.template.segments, in: index) == other
        }
        return AccessExplanation(
            decision: decision, denials: denials.map(\.reference), rule: number.map { rules[$0].reference },
            grants: number.map { rules[$0].explanations(for: request, groups: groups) } ?? [],
            passedOver: others.map(\.element.reference),
            isOfAnyStep: request.action == .multipart && request.step == nil)
    }
}

extension AccessRule {
    fileprivate func explanations(for request: AccessRequest, groups: GroupSemantics) -> [AccessExplanation.Grant] {
        zip(grants, granteeNames).map { grant, name in
            let obstacle = obstacle(for: request, grant, groups)
            let unmet = obstacle == nil ? grant.constraints.unmet(by: request) : []
            return AccessExplanation.Grant(
                grantee: name, actions: grant.actions, obstacle: obstacle,
                unmet: unmet.map { "\($0.field): \($0)" })
        }
    }

    /// Why a grant does not reach a request. Whether it does is asked of the very functions that decide.
    private func obstacle(for request: AccessRequest, _ grant: Grant, _ groups: GroupSemantics) -> String? {
        guard grant.actions.contains(.init(request.action)) else { return "does not grant \(request.action.name)" }
        guard !includes(request, grant.grantee, groups) else { return nil }
        let caller = request.caller
        if caller.isGuest { return "the caller is a guest" }
        switch grant.grantee {
        case .everyone: return "nobody is left out"
        case .guest: return "the caller is signed in"
        case .authenticated: return "the caller is in a group (`groups: exclusive`)"
        case .owner:
            return obstacle(to: nil, for: request) ?? "the caller is in a group (`groups: exclusive`)"
        case .placeholder(let placeholder): return obstacle(to: placeholder, for: request) ?? "it is not captured"
        case .group(let name): return "the caller is not in the group `\(String(decoding: name, as: UTF8.self))`"
        case .caller(let id): return "the caller is not the API key `\(String(decoding: id, as: UTF8.self))`"
        case .certificate(let name):
            return "the caller has no certificate with the name `\(String(decoding: name, as: UTF8.self))`"
        }
    }

    private func obstacle(to placeholder: Placeholder?, for request: AccessRequest) -> String? {
        guard let foreign = template.foreignCapture(placeholder, of: request.caller, in: request.key) else {
            return nil
        }
        let captured = String(decoding: foreign.segment, as: UTF8.self)
        let own = request.caller.values(of: foreign.placeholder).map { "`\(String(decoding: $0, as: UTF8.self))`" }
        let has = own.isEmpty ? "the caller has none" : "the caller's is \(own.joined(separator: ", "))"
        return "\(foreign.placeholder.name) is `\(captured)` here, \(has)"
    }
}

extension Placeholder {
    /// As templates write it.
    package var name: String {
        switch self {
        case .identity: "{identity}"
        case .group: "{group}"
        case .claim(let name): "{claim.\(String(decoding: name, as: UTF8.self))}"
        }
    }
}

extension Caller {
    /// What a captured segment of this kind is compared with.
    fileprivate func values(of placeholder: Placeholder) -> [[UInt8]] {
        switch placeholder {
        case .identity: identity.map { [$0] } ?? []
        case .group: groups
        case .claim(let name): claims.filter { $0.name == name }.map(\.value)
        }
    }
}
