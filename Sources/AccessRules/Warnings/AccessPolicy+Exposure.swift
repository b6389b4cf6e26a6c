import Presigning

extension AccessPolicy {
    /// Two grants of `multipart` through which an upload passes the limits of the second, if the storage accepts an
    /// upload's id at another key.
    package struct UploadIDGap {
        /// The grant for the key at which the upload is created, with its position.
        package let lax: String
        /// The grant for the key at which the upload is completed, with its position.
        package let strict: String
        /// The limits that only the second grant sets, or sets tighter.
        package let limits: String
    }

    /// Returns two grants of `multipart` in these stores with different limits on uploads; nil without such grants.
    /// Grantees make no difference, because callers can share an upload id.
    package func uploadIDGap(inStores names: [String]) -> UploadIDGap? {
        let grants = names.compactMap(index).flatMap(rules).flatMap { rule in
            zip(rule.grants, rule.granteeNames).filter { $0.0.actions.contains(.init(.multipart)) }.map {
                (
                    limits: $0.constraints.applicable(to: .multipart),
                    text: "`\($1.text)` in `\(rule.reference.pattern)` (\($1.position))"
                )
            }
        }
        guard let first = grants.first else { return nil }
        for other in grants.dropFirst() {
            for (lax, strict) in [(first, other), (other, first)] {
                let limits = strict.limits.uploadLimits(tighterThan: lax.limits).map { "`\($0.rawValue)`" }
                guard !limits.isEmpty else { continue }
                return UploadIDGap(lax: lax.text, strict: strict.text, limits: limits.joined(separator: " and "))
            }
        }
        return nil
    }

    /// The grants with which guests may write or delete every object that no other rule decides.
    package var openWrites: [(grantee: SourceText, actions: AccessActionSet)] {
        stores.indices.flatMap { store -> [(grantee: SourceText, actions: AccessActionSet)] in
            guard let rule = trie.rule(at: [.rest], in: store).map({ rules[$0] }) else { return [] }
            let excluded = stores[store].denials.actions(deniedThroughout: rule.template).union(.read)
            return zip(rule.grants, rule.granteeNames).compactMap { grant, name in
                let actions = grant.actions.subtracting(excluded)
                return [.everyone, .guest].contains(grant.grantee) && !actions.isEmpty ? (name, actions) : nil
            }
        }
    }
}
