package import AccessRules
package import PresignService
import Presigning

/// A property of a storage, or of the credentials for it, that `presign doctor` checks. `Probing/` defines each value
/// next to its check.
package struct Guarantee: Sendable {
    /// The name in the output.
    package let name: String
    /// The property as a statement that is true if it is enforced.
    package let statement: String
    /// The fix if it is not enforced.
    package let remedy: String
    fileprivate let reliant: Reliant

    init(_ name: String, _ statement: String, _ reliant: Reliant, _ remedy: String) {
        (self.name, self.statement, self.reliant, self.remedy) = (name, statement, reliant, remedy)
    }

    /// The grants that rely on a guarantee.
    struct Reliant: Sendable {
        /// Returns the action or limit of a grant that relies on it; nil if none does.
        let reason: @Sendable (AccessRule.Grant) -> String?
        /// Whether rules can rely on it, in a store of a configuration.
        var matters: @Sendable (ServiceConfiguration, StoreConfiguration) -> Bool = { _, _ in true }

        static let none = Reliant { _ in nil }
        /// Grants of any action.
        static let any = Reliant { $0.actions.isEmpty ? nil : $0.actions.names }
        /// Grants of an upload.
        static let uploads = Reliant { grant in
            grant.actions.isDisjoint(with: .upload) ? nil : grant.actions.intersection(.upload).names
        }

        static func action(_ action: AccessAction) -> Reliant {
            Reliant { $0.actions.contains(.init(action)) ? action.name : nil }
        }

        /// Grants of one of the actions with a limit, which the reason names.
        static func limit(
            _ actions: AccessActionSet, _ reason: String, _ isSet: @escaping @Sendable (AccessConstraints) -> Bool
        ) -> Reliant {
            Reliant { isSet($0.constraints) && !$0.actions.isDisjoint(with: actions) ? reason : nil }
        }

        /// Returns the same, if a store offers or lacks something.
        func `if`(_ matters: @escaping @Sendable (ServiceConfiguration, StoreConfiguration) -> Bool) -> Reliant {
            Reliant(reason: reason, matters: matters)
        }
    }

    /// What `unsignedHeaders: refused` declares.
    fileprivate static let unsignedHeaders: Set<Guarantee> = [
        .signature, .copySource, .partCopySource, .acl, .metadata, .tagging,
    ]
}

extension Guarantee: Hashable {
    package static func == (left: Guarantee, right: Guarantee) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A rule that relies on a guarantee.
package struct Reliance: Sendable, Equatable {
    package let rule: RuleReference
    /// The action or limit of the rule that relies on it.
    package let reason: String
}

extension ServiceConfiguration {
    /// The rules of a store that rely on a guarantee, in the order of the file.
    package func reliances(on guarantee: Guarantee, in store: StoreConfiguration) -> [Reliance] {
        guard guarantee.reliant.matters(self, store) else { return [] }
        return rules(of: store).compactMap { rule in
            let reason = rule.grants.lazy.compactMap(guarantee.reliant.reason).first
            return (reason ?? lfsReason(guarantee, rule, in: store)).map { Reliance(rule: rule.reference, reason: $0) }
        }
    }

    /// Returns the section `lfs` if the rule grants uploads of Git LFS objects, which are signed for one content whatever
    /// the limits of the rule are.
    private func lfsReason(_ guarantee: Guarantee, _ rule: AccessRule, in store: StoreConfiguration) -> String? {
        guard guarantee == .checksum, let lfs, lfs.store.map({ $0 == store.name }) ?? store.isDefault,
            rule.grants.contains(where: { $0.actions.contains(.init(.write)) }),
            rule.template.canMatch(below: Array(lfs.prefix.utf8))
        else { return nil }
        return "lfs"
    }

    /// The rules of a store.
    func rules(of store: StoreConfiguration) -> [AccessRule] {
        policy.index(ofStore: store.name).map(policy.rules(inStore:)) ?? []
    }

    /// What to declare in the store's section once doctor found that a guarantee is enforced; nil if nothing.
    package func declaration(of guarantees: Set<Guarantee>, for store: StoreConfiguration) -> [String] {
        guard local == nil, store.bucket.endpoint.options.endpoint != nil else { return [] }
        var declarations: [String] = []
        if store.unsignedHeaders == .unknown, guarantees.isSuperset(of: Guarantee.unsignedHeaders) {
            declarations.append("unsignedHeaders: refused")
        }
        if store.uploadIDs == .unknown, guarantees.contains(.uploadID) { declarations.append("uploadIds: bound") }
        return declarations
    }
}

extension PathTemplate {
    /// Whether some keys below a folder match.
    fileprivate func canMatch(below folder: [UInt8]) -> Bool {
        let names = folder.split(separator: UInt8(ascii: "/"))
        let agrees = zip(segments, names).allSatisfy { segment, name in
            if case .literal(let bytes) = segment { name.elementsEqual(bytes) } else { true }
        }
        return agrees && (segments.last == .rest || segments.count > names.count)
    }
}
