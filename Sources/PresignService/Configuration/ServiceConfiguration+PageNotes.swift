import AccessRules
import Presigning
import Requests

/// What people at the upload page would miss, for `check-config`.
extension ServiceConfiguration {
    /// The largest file that the page sends in one `PUT` if it may choose.
    private static let singlePut = 16 << 20

    /// Empty without the page, or if it has everything.
    var pageNotes: [String] {
        guard servesPage else { return [] }
        return stores.compactMap(unlistedNote) + stores.flatMap(singlePutNotes)
    }

    /// Returns a note if rules grant `list` in a store whose listings are not signed.
    private func unlistedNote(on store: StoreConfiguration) -> String? {
        guard !store.offersListing, grants(in: store).contains(where: { $1.actions.contains(.init(.list)) }) else {
            return nil
        }
        return "note: the page cannot list the files of `\(store.name)`; set `stores.\(store.name).listing: true`"
    }

    /// Returns a note for each rule whose uploads, of more than 16 MiB, cannot be sent in parts.
    private func singlePutNotes(on store: StoreConfiguration) -> [String] {
        let writing = grants(in: store).filter { _, grant in
            grant.actions.contains(.init(.write)) && grant.constraints.maximumSize ?? .max > Self.singlePut
        }
        let whole = writing.filter { rule, _ in !rule.grants.contains { $0.actions.contains(.init(.multipart)) } }
        var seen: [AccessRule] = []
        return whole.compactMap { rule, grant in
            guard !seen.contains(where: { $0 === rule }) else { return nil }
            seen.append(rule)
            let bound = grant.constraints.maximumSize == nil ? "" : ", with a `multipart.partSize`"
            return "note: \(rule.reference): files above 16 MiB go in one PUT and start again after a pause; grant"
                + " `multipart`\(bound)"
        }
    }

    private func grants(in store: StoreConfiguration) -> [(AccessRule, AccessRule.Grant)] {
        guard let index = policy.index(ofStore: store.name) else { return [] }
        return policy.rules(inStore: index).flatMap { rule in rule.grants.map { (rule, $0) } }
    }
}
