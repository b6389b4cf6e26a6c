import Presigning
import Text

extension AccessPolicy {
    /// Returns two grants of `multipart` in these stores, and the limits that only the second sets, or sets tighter: an
    /// upload created by the first passes them, if the storage accepts its id at another key. Nil without such grants.
    ///
    /// Grantees make no difference, because callers can share an upload id.
    package func uploadIDGap(inStores names: [String]) -> (lax: String, strict: String, limits: String)? {
        let grants = names.compactMap(index).flatMap(rules).flatMap { rule in
            rule.grants.filter { $0.actions.contains(.init(.multipart)) }.map {
                (
                    limits: $0.constraints.applicable(to: .multipart),
                    text: "\($0.name.text.quoted) in \(rule.reference.pattern.quoted) (\($0.name.position))"
                )
            }
        }
        guard let first = grants.first else { return nil }
        for other in grants.dropFirst() {
            for (lax, strict) in [(first, other), (other, first)] {
                let limits = strict.limits.uploadLimits(tighterThan: lax.limits).map { "`\($0.rawValue)`" }
                guard !limits.isEmpty else { continue }
                return (lax.text, strict.text, limits.joined(separator: " and "))
            }
        }
        return nil
    }

    /// The grants with which guests may write or delete every object that no other rule decides.
    package var openWrites: [(grantee: SourceText, actions: AccessActionSet)] {
        stores.indices.flatMap { store -> [(grantee: SourceText, actions: AccessActionSet)] in
            guard let rule = trie.rule(at: [.rest], in: store).map({ rules[$0] }) else { return [] }
            let excluded = stores[store].denials.actions(deniedThroughout: rule.template).union(.read)
            return rule.grants.compactMap { grant in
                let actions = grant.actions.subtracting(excluded)
                return [.everyone, .guest].contains(grant.grantee) && !actions.isEmpty ? (grant.name, actions) : nil
            }
        }
    }
}
