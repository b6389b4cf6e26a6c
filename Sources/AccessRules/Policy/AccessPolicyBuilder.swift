import DataFormats
import Presigning
import Requests
import Text

/// The settings of other sections that rules are compiled with.
package struct PolicyInputs: Sendable {
    /// All stores; empty if the section is missing or unreadable, so that the stores of rules are not checked.
    package var stores: [AccessPolicy.StorePolicy]
    /// The store of rules and requests that name none.
    package var defaultStore: String?
    /// The ids that `caller:ID` can name; nil if the section `auth` is not known.
    package var callers: Set<[UInt8]>?
    /// The service's limits on lifetimes, which apply to every rule.
    package var expires: ExpiryLimits

    package init(
        stores: [AccessPolicy.StorePolicy], defaultStore: String?, callers: Set<[UInt8]>? = nil,
        expires: ExpiryLimits = ExpiryLimits()
    ) {
        (self.stores, self.defaultStore) = (stores, defaultStore)
        (self.callers, self.expires) = (callers, expires)
    }

    /// The index of the store with this name; nil for an unknown store.
    func index(ofStore name: String) -> Int? { stores.firstIndex { $0.name.utf8.elementsEqual(name.utf8) } }
}

/// Compiles rule descriptions into an `AccessPolicy` and collects every mistake in them with its position.
struct AccessPolicyBuilder {
    /// The mistakes found so far.
    var mistakes: [ConfigurationError] = []
    /// Valid settings that are probably not intended.
    private var warnings: [ConfigurationError] = []
    /// Whether callers in a group keep the grants of all signed-in callers.
    var groups = GroupSemantics.additive

    /// Its stores have the denials and rules added so far.
    private var inputs: PolicyInputs
    private var trie: RuleTrie
    private var rules: [AccessRule] = []

    init(_ inputs: PolicyInputs) {
        self.inputs = inputs
        trie = RuleTrie(stores: inputs.stores.count)
    }

    /// Adds a denial. A denial with mistakes is not added; its mistakes are collected.
    mutating func add(_ denial: DenialDescription) {
        let indices = denial.store.map { [storeIndex($0, for: denial.path)] } ?? Array(inputs.stores.indices)
        let actions = denial.actions.map { actionSet($0) } ?? .all
        guard let path = denial.path, let pattern = parsed(path, DenyPattern.init(parsing:)) else { return }
        let reference = RuleReference(pattern: path.text, position: path.position)
        for index in indices.compactMap(\.self) {
            inputs.stores[index].denials.append(.init(pattern: pattern, actions: actions, reference: reference))
        }
    }

    /// Adds a rule and collects its mistakes.
    mutating func add(_ rule: RuleDescription) {
        let index = rule.hasUnreadableStore ? nil : storeIndex(rule.store, for: rule.path)
        let template = rule.path.flatMap { parsed($0, PathTemplate.init(parsing:)) }
        let store = index.map { inputs.stores[$0] }
        if let store, !store.offersListing { warnAboutListing(in: rule, store.name) }
        let grants = rule.grants.compactMap { grant($0, in: rule, template, window: store?.window.map(Int64.init)) }
        if let path = rule.path { checkSizes(rule.constraints, of: path) }
        guard let path = rule.path, let template, let index else { return }
        let reference = RuleReference(pattern: path.text, position: path.position)
        rules.append(AccessRule(template: template, reference: reference, grants: grants))
        inputs.stores[index].rules.append(rules.count - 1)
        if let other = trie.insert(rules.count - 1, at: template.segments, in: index) {
            let duplicate = rules[other].reference
            mistake(path, "the rule \(path.text.quoted) matches the same keys as \(duplicate); remove one of them")
        }
    }

    private mutating func parsed<Path>(
        _ path: SourceText, _ parse: (String) throws(PathTemplate.Mistake) -> Path
    ) -> Path? {
        do throws(PathTemplate.Mistake) {
            return try parse(path.text)
        } catch {
            mistake(path, "the path \(path.text.quoted) \(error.message)")
            return nil
        }
    }

    /// The policy, and warnings about settings that are probably not intended.
    ///
    /// - Throws: The first mistake in the order of the file, with all others in its `further`.
    mutating func compiled() throws(ConfigurationError) -> (
        policy: AccessPolicy, warnings: [ConfigurationError]
    ) {
        let sorted = mistakes.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
        if let first = sorted.first {
            throw ConfigurationError(first.position, first.message, further: Array(sorted.dropFirst()))
        }
        trie.linkRuns()
        for store in inputs.stores.indices where inputs.stores[store].offersListing {
            inputs.stores[store].deciders = trie.deciders(below: [], in: store)
        }
        let policy = AccessPolicy(inputs, groups: groups, trie: trie, rules: rules)
        return (policy, (warnings + policy.warnings).sorted { ($0.line, $0.column) < ($1.line, $1.column) })
    }

    /// - Parameters:
    ///   - template: The path of the rule; nil if it is invalid, so that placeholders cannot be checked.
    ///   - window: The window of the store's URLs in seconds, if it has one.
    private mutating func grant(
        _ grant: RuleDescription.Grant, in rule: RuleDescription, _ template: PathTemplate?, window: Int64?
    ) -> AccessRule.Grant? {
        let actions = actionSet(grant.actions)
        guard let grantee = Grantee(name: grant.grantee.text) else {
            mistake(
                grant.grantee,
                "unknown grantee \(grant.grantee.text.quoted); use everyone, guest, authenticated, owner, group:NAME, "
                    + "caller:ID, certificate:NAME or a placeholder of the path such as {group}"
                    + Suggestion.text(Grantee.suggestion(for: grant.grantee.text)))
            return nil
        }
        switch grantee {
        case .owner where template?.placeholders.isEmpty == true:
            mistake(
                grant.grantee,
                "`owner` needs a placeholder such as {identity} in the path \((rule.path?.text ?? "").quoted)")
        case .placeholder(let placeholder) where template?.placeholders.contains(placeholder) == false:
            mistake(
                grant.grantee,
                "the path \((rule.path?.text ?? "").quoted) has no placeholder \(grant.grantee.text); add it to the path, or "
                    + "change the grantee")
        case .apiKey(let id) where inputs.callers?.contains(id) == false:
            let known = inputs.callers?.map { "caller:" + String(decoding: $0, as: UTF8.self) }.sorted() ?? []
            warn(
                grant.grantee,
                "\(grant.grantee.text.quoted): there is no API key with id \(String(decoding: id, as: UTF8.self).quoted) under "
                    + "auth.apiKeys; add the key, or fix the id"
                    + Suggestion.text(for: grant.grantee.text, among: known))
        default: break
        }
        var constraints = rule.constraints.overridden(by: grant.constraints)
        constraints.window = constraints.window ?? window
        if grant.constraints.maximumSize != nil { checkSizes(constraints, of: grant.grantee) }
        return AccessRule.Grant(
            grantee, grant.grantee, actions: actions, constraints: constraints,
            limitedActions: constraints.limitedActions)
    }

    /// Warns about `list` in a store that does not offer listing. `read` gets no warning, because it grants `get` too.
    private mutating func warnAboutListing(in rule: RuleDescription, _ store: String) {
        for action in rule.grants.flatMap(\.actions) where action.text == AccessAction.list.name {
            warn(
                action,
                "`list` grants nothing, because the store \(store.quoted) does not offer listing; set `listing: true` for "
                    + "the store, or remove `list`")
        }
    }

    private mutating func actionSet(_ names: [SourceText]) -> AccessActionSet {
        var set: AccessActionSet = []
        for name in names {
            guard let actions = AccessActionSet(name: name.text) else {
                mistake(
                    name,
                    "unknown action \(name.text.quoted); use get, list, read, write, delete or multipart"
                        + Suggestion.text(AccessActionSet.suggestion(for: name.text)))
                continue
            }
            set.formUnion(actions)
        }
        return set
    }

    private mutating func storeIndex(_ store: SourceText?, for path: SourceText?) -> Int? {
        // The section `stores` is missing or unreadable, which is already reported.
        if inputs.stores.isEmpty { return nil }
        guard let name = store?.text ?? inputs.defaultStore else {
            if let path {
                mistake(
                    path, "the rule \(path.text.quoted) needs the key `store`, because no store has `default: true`")
            }
            return nil
        }
        if let index = inputs.index(ofStore: name) { return index }
        guard let source = store ?? path else { return nil }
        mistake(
            source,
            "unknown store \(name.quoted); add it to `stores`, or fix the name"
                + Suggestion.text(for: name, among: inputs.stores.map(\.name)))
        return nil
    }

    /// Reports a `maxSize` that 10,000 parts of `partSize` cannot reach.
    private mutating func checkSizes(_ limits: AccessConstraints, of source: SourceText) {
        guard let size = limits.maximumSize, let part = limits.partSize,
            size > Int64(S3Limits.partNumbers.upperBound) * part
        else { return }
        mistake(
            source,
            "\(source.text.quoted) has `maxSize` \(ByteSize(size)), but 10000 parts of `partSize` \(ByteSize(part)) are "
                + "smaller; raise `partSize`, or lower `maxSize`")
    }

    private mutating func mistake(_ source: SourceText, _ message: String) {
        mistakes.append(ConfigurationError(source.position, message))
    }

    private mutating func warn(_ source: SourceText, _ message: String) {
        warnings.append(ConfigurationError(source.position, message))
    }
}
