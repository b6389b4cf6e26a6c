package import ConfigurationReading

/// Compiles rule descriptions, and finds every mistake in them, each with its position.
package struct AccessPolicyBuilder {
    /// What is wrong so far.
    package var mistakes: [ConfigurationError] = []
    /// What is allowed but hardly meant.
    package internal(set) var warnings: [ConfigurationError] = []
    /// What membership in a group does to grants for all signed-in callers.
    package var groups = GroupSemantics.additive

    /// The ids that `caller:ID` may name; nil when the file does not say who may call.
    package var callers: Set<[UInt8]>?
    /// The service's own limits, which hold whatever a rule says.
    package let expires: ExpiryLimits

    private var stores: [AccessPolicy.StoreDenials]
    private var trie: RuleTrie
    private let defaultStore: String?
    private var rules: [AccessRule] = []
    /// The rules as written, one for each of `rules`.
    private var descriptions: [RuleDescription] = []

    /// - Parameters:
    ///   - stores: names of all configured stores
    ///   - defaultStore: the one meant where none is named, if there is one
    ///   - prefixLengths: bytes of each store's prefix; of stores that are not named, 0
    ///   - expires: the service's own limits
    package init(
        stores: [String], defaultStore: String?, prefixLengths: [String: Int] = [:],
        expires: ExpiryLimits = ExpiryLimits()
    ) {
        self.expires = expires
        self.stores = stores.map {
            AccessPolicy.StoreDenials(name: $0, prefixLength: prefixLengths[$0] ?? 0)
        }
        trie = RuleTrie(stores: stores.count)
        self.defaultStore = defaultStore
    }

    /// Adds a denial, or its mistakes.
    package mutating func add(_ denial: DenialDescription) {
        let indices = denial.store.map { [storeIndex($0, for: denial.path)] } ?? Array(stores.indices)
        let actions = denial.actions.map { actionSet($0, at: denial.path) } ?? .all
        do throws(PathTemplate.Mistake) {
            let pattern = try DenyPattern(parsing: denial.path.text)
            let reference = RuleReference(pattern: denial.path.text, position: denial.path.position)
            for index in indices.compactMap(\.self) {
                stores[index].denials.append(.init(pattern: pattern, actions: actions, reference: reference))
            }
        } catch {
            mistake(denial.path, "the path `\(denial.path.text)` \(error.message)")
        }
    }

    /// Adds a rule, or its mistakes.
    package mutating func add(_ rule: RuleDescription) {
        let index = storeIndex(rule.store, for: rule.path)
        do throws(PathTemplate.Mistake) {
            let template = try PathTemplate(parsing: rule.path.text)
            let grants = rule.grants.compactMap { grant($0, in: rule, template) }
            if rule.grants.isEmpty {
                mistake(rule.path, "the rule `\(rule.path.text)` grants nothing; add grantees, or use `deny`")
            }
            guard let index else { return }
            let reference = RuleReference(pattern: rule.path.text, position: rule.path.position)
            rules.append(
                AccessRule(
                    template: template, reference: reference, grants: grants.map(\.grant),
                    granteeNames: grants.map(\.name)))
            descriptions.append(rule)
            if let other = trie.insert(rules.count - 1, at: template.segments, in: index) {
                let place = rules[other].reference
                mistake(rule.path, "the rule `\(rule.path.text)` has the same shape as \(place); keep one of them")
            }
        } catch {
            mistake(rule.path, "the path `\(rule.path.text)` \(error.message)")
        }
    }

    /// The policy and what is hardly meant in it.
    ///
    /// - Throws: the first mistake in the order of the file, with all others in its `further`.
    package mutating func compiled() throws(ConfigurationError) -> (
        policy: AccessPolicy, warnings: [ConfigurationError]
    ) {
        let sorted = mistakes.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
        if let first = sorted.first {
            throw ConfigurationError(first.position, first.message, further: Array(sorted.dropFirst()))
        }
        for store in stores.indices {
            warnAboutShadows(in: store, trie, rules, stores[store].denials)
            warnAboutOpenUploads(in: store, trie, rules, stores[store].denials)
        }
        for (rule, description) in zip(rules, descriptions) {
            warnAboutGuests(in: rule)
            warnAboutLimits(in: rule, as: description)
        }
        let policy = AccessPolicy(
            stores: stores, defaultStore: defaultStore, groups: groups, trie: trie, rules: rules, expires: expires)
        return (policy, warnings.sorted { ($0.line, $0.column) < ($1.line, $1.column) })
    }

    private mutating func grant(
        _ grant: RuleDescription.Grant, in rule: RuleDescription, _ template: PathTemplate
    ) -> (grant: AccessRule.Grant, name: SourceText)? {
        let actions = actionSet(grant.actions, at: grant.grantee)
        guard let grantee = Grantee(name: grant.grantee.text) else {
            mistake(
                grant.grantee,
                "unknown grantee `\(grant.grantee.text)`; use everyone, guest, authenticated, owner, group:NAME, "
                    + "caller:ID, certificate:NAME or a placeholder of the path such as {group}"
                    + Suggestion.text(Grantee.suggestion(for: grant.grantee.text)))
            return nil
        }
        switch grantee {
        case .owner where template.placeholders.isEmpty:
            mistake(grant.grantee, "`owner` needs a placeholder such as {identity} in `\(rule.path.text)`")
        case .placeholder(let placeholder) where !template.placeholders.contains(placeholder):
            mistake(grant.grantee, "the path `\(rule.path.text)` has no placeholder \(grant.grantee.text)")
        case .caller(let id) where callers?.contains(id) == false:
            let known = callers?.map { "caller:" + String(decoding: $0, as: UTF8.self) }.sorted() ?? []
            warn(
                grant.grantee,
                "`\(grant.grantee.text)` is nobody: there is no such id under auth.apiKeys"
                    + Suggestion.text(for: grant.grantee.text, among: known))
        default: break
        }
        for action in grant.actions where action.text == AccessAction.list.name {
            warn(
                action,
                "`list` grants nothing yet: no operation lists objects; remove it, or use `read` to grant `get` now and "
                    + "`list` later")
        }
        let constraints = rule.constraints.overridden(by: grant.constraints)
        return (AccessRule.Grant(grantee: grantee, actions: actions, constraints: constraints), grant.grantee)
    }

    private mutating func actionSet(_ names: [SourceText], at place: SourceText) -> AccessActionSet {
        if names.isEmpty { mistake(place, "`\(place.text)` needs at least one action") }
        var set: AccessActionSet = []
        for name in names {
            guard let actions = AccessActionSet(name: name.text) else {
                mistake(
                    name,
                    "unknown action `\(name.text)`; use get, list, read, write, delete or multipart"
                        + Suggestion.text(AccessActionSet.suggestion(for: name.text)))
                continue
            }
            set.formUnion(actions)
        }
        return set
    }

    private mutating func storeIndex(_ store: SourceText?, for path: SourceText) -> Int? {
        guard let name = store?.text ?? defaultStore else {
            mistake(path, "`\(path.text)` must name its `store`, because there is no default store")
            return nil
        }
        if let index = stores.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) { return index }
        mistake(
            store ?? path,
            "there is no store `\(name)`; add it to `stores`, or correct the name"
                + Suggestion.text(for: name, among: stores.map(\.name)))
        return nil
    }

    private mutating func mistake(_ place: SourceText, _ message: String) {
        mistakes.append(ConfigurationError(place.position, message))
    }

    package mutating func warn(_ place: SourceText, _ message: String) {
        warnings.append(ConfigurationError(place.position, message))
    }
}
