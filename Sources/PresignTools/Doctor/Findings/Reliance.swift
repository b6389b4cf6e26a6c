package import AccessRules
package import PresignService
import Presigning

extension Guarantee {
    /// What `unsignedHeaders: refused` declares.
    fileprivate static let unsignedHeaders: Set<Guarantee> = [
        .signature, .copySource, .partCopySource, .acl, .metadata, .tagging,
    ]
}

/// A rule that relies on a guarantee.
package struct Reliance: Sendable, Equatable {
    package let rule: RuleReference
    /// The action or limit of the rule that relies on it.
    package let reason: String
}

extension ServiceConfiguration {
    /// The rules of a store that rely on a guarantee, in the order of the file. None relies on the guarantees about
    /// clocks, browsers and rights, on checksums in the query, and on a total size, which a client need not declare.
    package func reliances(on guarantee: Guarantee, in store: StoreConfiguration) -> [Reliance] {
        guard let reliesOn = reliance(on: guarantee, in: store) else { return [] }
        return rules(of: store).compactMap { rule in
            let reason = rule.grants.lazy.compactMap(reliesOn).first ?? lfsReason(guarantee, rule, in: store)
            return reason.map { Reliance(rule: rule.reference, reason: $0) }
        }
    }

    /// Returns a function from a grant to what of it relies on the guarantee; nil if no grant does.
    private func reliance(
        on guarantee: Guarantee, in store: StoreConfiguration
    ) -> ((AccessRule.Grant) -> String?)? {
        switch guarantee {
        case .clock, .session, .form, .checksumInQuery, .totalSize, .preflight, .exposedETag, .bucketList,
            .bucketPolicy,
            .otherKeys:
            nil
        case .delete: { $0.reason(.delete) }
        case .put: { $0.reason(.write) }
        case .get, .head: { $0.reason(.get) }
        case .listing: store.offersListing ? { $0.reason(.list) } : nil
        case .multipart: { $0.reason(.multipart) }
        case .signature, .method, .key, .query, .expiry, .signedEndpoint:
            { $0.actions.isEmpty ? nil : $0.actions.names }
        case .contentType: { $0.reason(.upload, "types", $0.constraints.types != nil) }
        case .size: { $0.reason(.init(.write), "maxSize", $0.constraints.maximumSize != nil) }
        case .checksum: { $0.reason(.init(.write), "checksum", $0.constraints.checksum != nil) }
        case .createOnly: { $0.reason(.init(.write), "overwrite: false", $0.constraints.overwrite == false) }
        case .formSize, .formField:
            store.offersForms
                ? {
                    let admitsForms = $0.constraints.maximumSize != nil && $0.constraints.overwrite != false
                    return $0.reason(.init(.write), "maxSize, which lets callers get forms", admitsForms)
                } : nil
        case .partSize: { $0.reason(.init(.multipart), "partSize", $0.constraints.partSize != nil) }
        case .partChecksum: { $0.reason(.init(.multipart), "checksum", $0.constraints.checksum != nil) }
        case .completeCreateOnly:
            { $0.reason(.init(.multipart), "overwrite: false", $0.constraints.overwrite == false) }
        case .copySource:
            policy.reliesOnCredentials(inStore: store.name, hasPrefix: !store.prefix.isEmpty)
                ? { $0.reason(.upload, $0.actions.intersection(.upload).names, true) } : nil
        case .partCopySource:
            policy.reliesOnCredentials(inStore: store.name, hasPrefix: !store.prefix.isEmpty)
                ? { $0.reason(.multipart) } : nil
        case .acl: { $0.reason(.upload, $0.actions.intersection(.upload).names, true) }
        case .metadata: { $0.reason(.upload, "set: metadata", $0.sets(.metadata)) }
        case .tagging:
            { $0.reason(.upload, "accept without tagging", !($0.constraints.accept?.contains(.tagging) ?? false)) }
        case .uploadID:
            policy.uploadIDGap(inStores: [store.name]) == nil ? nil : { $0.reason(.multipart) }
        case .missingObject, .publicEndpoint: store.validatesExistence ? { $0.reason(.get) } : nil
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
        if store.unsignedHeaders == .unknown,
            guarantees.isSuperset(of: Guarantee.unsignedHeaders)
        {
            declarations.append("unsignedHeaders: refused")
        }
        if store.uploadIDs == .unknown, guarantees.contains(.uploadID) { declarations.append("uploadIds: bound") }
        return declarations
    }
}

extension AccessRule.Grant {
    /// The name of an action if it is granted.
    fileprivate func reason(_ action: AccessAction) -> String? {
        actions.contains(.init(action)) ? action.name : nil
    }

    /// The reason if one of the actions is granted and the condition is true.
    fileprivate func reason(_ actions: AccessActionSet, _ reason: String, _ condition: Bool) -> String? {
        condition && !self.actions.isDisjoint(with: actions) ? reason : nil
    }

    fileprivate func sets(_ name: UploadSetting.Name) -> Bool {
        constraints.set?.contains { $0.name == name } ?? false
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
