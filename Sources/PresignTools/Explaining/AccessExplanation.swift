package import AccessRules
import DataFormats
import Presigning
package import Requests

/// The reasons of a decision, for the operator who maintains the rules. Never show it to callers.
package struct AccessExplanation: Sendable {
    /// A grant of the deciding rule.
    package struct Grant: Sendable {
        /// The grantee with its position in the file.
        package let grantee: SourceText
        /// The granted actions.
        package let actions: AccessActionSet
        /// The reason why it does not apply to the request; nil if it applies.
        package let obstacle: String?
        /// The limits of the grant that the request does not meet; empty if the grant does not apply.
        package let unmet: [String]

        /// Whether this grant alone allows the request.
        package var allows: Bool { obstacle == nil && unmet.isEmpty }
    }

    /// The decision of the service.
    package let decision: AccessDecision
    /// The entries of `deny` that refuse the request.
    package let denials: [RuleReference]
    /// The most specific rule that matches. It decides, unless a denial or an invalid path does.
    package let rule: RuleReference?
    /// The grants of the rule in the order of the file.
    package let grants: [Grant]
    /// Other rules that match. They have no effect, because they are less specific.
    package let lessSpecific: [RuleReference]
    /// Whether the request is a multipart upload without a step.
    let isForWholeUpload: Bool
    /// For a listing: the key below the prefix that the rule and the grants refer to.
    package fileprivate(set) var listedKey: [UInt8]?

    /// Returns the explanation as text, in lines without control characters.
    ///
    /// - Parameter verdict: the verdict on the same request.
    package func lines(_ verdict: RuleVerdict) -> [String] {
        let reason = verdict.reason ?? (verdict.fields.isEmpty ? nil : verdict.fields.joined(separator: ", "))
        var lines = [
            "\(verdict.isAllowed ? "allowed" : "refused") (\(verdict.status))" + (reason.map { ": \($0)" } ?? "")
        ]
        if case .denied(let denial) = decision, case .path(let refusal) = denial.reason {
            lines.append("  path    \(refusal.description). \(refusal.recoverySuggestion)")
        }
        if verdict.reason == RuleVerdict.noGuests.reason {
            lines.append("  caller  a guest, but `auth.guest` is not true; otherwise the rules decide:")
        }
        if verdict.reason == RuleVerdict.noKey.reason {
            lines.append("  caller  an API key that is disabled; otherwise the rules decide:")
        }
        if case .denied(let denial) = decision, denial.reason == .listingOff {
            lines.append("  store   does not offer listing; set `listing: true` for it; otherwise the rules decide:")
        }
        lines += denials.map { "  deny    \($0)" }
        if let listedKey {
            lines.append("  key     \(String(decoding: listedKey, as: UTF8.self)) decides, where * is any segment")
        }
        if let rule {
            lines.append("  rule    \(rule)" + (denials.isEmpty ? "" : ", overridden by the denial"))
            lines += grants.map(\.line)
        } else if !isDeniedByPath {
            lines.append("  rule    no rule of this store matches" + (listedKey == nil ? "" : " this key"))
        }
        lines += lessSpecific.map { "  less    \($0) also matches, but is less specific" }
        if let expiresIn = verdict.expiresIn { lines.append("  URL     expires after \(expiresIn) s") }
        if let window = verdict.window {
            lines.append("  URL     stays the same for up to \(window) s, and expires up to \(window) s later")
        }
        if verdict.ifNoneMatch == true {
            lines.append(
                "  URL     signs if-none-match: *" + (isForWholeUpload ? ", when the upload is completed" : ""))
        }
        lines += verdict.addedHeaders.map { name, value in
            "  URL     signs \(name): \(value)" + (isForWholeUpload ? ", when the upload is created" : "")
        }
        if let note = verdict.note { lines.append("  note    \(note)") }
        return lines.map(\.printable)
    }

    private var isDeniedByPath: Bool {
        if case .denied(let denial) = decision, case .path = denial.reason { true } else { false }
    }
}

extension AccessPolicy {
    /// Decides a request and explains the decision.
    package func explanation(for request: PresignRequest) -> AccessExplanation {
        let decision = decision(for: request)
        let refusal =
            request.isListing
            ? ObjectKeyCheck.refusal(ofPrefix: request.path) : ObjectKeyCheck.refusal(of: request.path)
        guard refusal == nil, let index = index(ofStore: request.store) else {
            return AccessExplanation(
                decision: decision, denials: [], rule: nil, grants: [], lessSpecific: [], isForWholeUpload: false)
        }
        if request.isListing { return explanation(ofListing: request, decision, in: index) }
        let action = AccessActionSet(request.action)
        let denials = stores[index].denials.filter { $0.actions.contains(action) && $0.pattern.matches(request.path) }
        return explanation(of: decision, request, denials, in: index)
    }

    /// Explains a listing by the key below its prefix that decides it, in which `*` is any segment.
    private func explanation(
        ofListing request: PresignRequest, _ decision: AccessDecision, in index: Int
    ) -> AccessExplanation {
        var deciding = request
        deciding.path = decidingKey(for: request, in: index)
        var explanation = explanation(of: decision, deciding, listingDenials(for: request, in: index), in: index)
        explanation.listedKey = deciding.path
        return explanation
    }

    private func explanation(
        of decision: AccessDecision, _ request: PresignRequest, _ denials: [Denial], in index: Int
    ) -> AccessExplanation {
        let number = trie.rule(for: request.path, in: index)
        let others = rules.enumerated().filter { other, rule in
            other != number && rule.template.matches(request.path)
                && trie.rule(at: rule.template.segments, in: index) == other
        }
        return AccessExplanation(
            decision: decision, denials: denials.map(\.reference), rule: number.map { rules[$0].reference },
            grants: number.map { rules[$0].explanations(for: request, groups: groups) } ?? [],
            lessSpecific: others.map(\.element.reference),
            isForWholeUpload: request.action == .multipart && request.step == nil)
    }
}

extension AccessRule {
    fileprivate func explanations(for request: PresignRequest, groups: GroupSemantics) -> [AccessExplanation.Grant] {
        grants.map { grant in
            let obstacle = obstacle(for: request, grant, groups)
            let unmet = obstacle == nil ? grant.constraints.unmet(by: request) : []
            return AccessExplanation.Grant(
                grantee: grant.name, actions: grant.actions, obstacle: obstacle,
                unmet: unmet.map { "\($0.field): \($0)" })
        }
    }

    /// Returns the reason why a grant does not apply. Uses the functions that decide, so that both always agree.
    private func obstacle(for request: PresignRequest, _ grant: Grant, _ groups: GroupSemantics) -> String? {
        guard grant.actions.contains(.init(request.action)) else { return "does not grant \(request.action.name)" }
        guard !includes(request, grant.grantee, groups) else { return nil }
        let caller = request.caller
        if caller.isGuest { return "the caller is a guest" }
        switch grant.grantee {
        case .everyone: return "the grant is for everyone"
        case .guest: return "the caller is signed in"
        case .authenticated: return "the caller is in a group (`groups: exclusive`)"
        case .owner:
            return obstacle(to: nil, for: request) ?? "the caller is in a group (`groups: exclusive`)"
        case .placeholder(let placeholder):
            return obstacle(to: placeholder, for: request) ?? "the path has no such part"
        case .group(let name): return "the caller is not in the group `\(String(decoding: name, as: UTF8.self))`"
        case .apiKey(let id): return "the caller is not the API key `\(String(decoding: id, as: UTF8.self))`"
        case .certificate(let name):
            return "the caller has no certificate with the name `\(String(decoding: name, as: UTF8.self))`"
        }
    }

    private func obstacle(to placeholder: Placeholder?, for request: PresignRequest) -> String? {
        guard let foreign = template.foreignCapture(placeholder, of: request.caller, in: request.path) else {
            return nil
        }
        let captured = String(decoding: foreign.segment, as: UTF8.self)
        let own = request.caller.values(of: foreign.placeholder).map { "`\(String(decoding: $0, as: UTF8.self))`" }
        let has = own.isEmpty ? "the caller has none" : "the caller's is \(own.joined(separator: ", "))"
        return "\(foreign.placeholder.name) is `\(captured)` here, \(has)"
    }
}

extension Placeholder {
    /// The name in a template.
    package var name: String {
        switch self {
        case .identity: "{identity}"
        case .group: "{group}"
        case .claim(let name): "{claim.\(String(decoding: name, as: UTF8.self))}"
        }
    }
}

extension Caller {
    /// The values that a captured segment must equal.
    fileprivate func values(of placeholder: Placeholder) -> [[UInt8]] {
        switch placeholder {
        case .identity: identity.map { [$0] } ?? []
        case .group: groups
        case .claim(let name): claims.filter { $0.name == name }.map(\.value)
        }
    }
}

extension AccessExplanation.Grant {
    fileprivate var line: String {
        let start = "    \(allows ? "yes" : "no ")  \(grantee.text) (\(grantee.position)): \(actions.names)"
        if let obstacle { return "\(start); \(obstacle)" }
        return unmet.isEmpty ? start : "\(start); \(unmet.joined(separator: "; "))"
    }
}

extension String {
    /// The text with each control character replaced by its code point, such as U+7F.
    package var printable: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            let isControl = scalar.value < 0x20 || scalar.value == 0x7F || scalar.isInvisibleControl
            text += isControl ? "U+" + String(scalar.value, radix: 16, uppercase: true) : String(scalar)
        }
    }
}
