package import ConfigurationReading

/// A text of the configuration with its position.
package struct SourceText: Sendable {
    /// The text as written.
    package let text: String
    /// The position of its first character.
    package let position: SourcePosition

    /// - Parameters:
    ///   - text: The text as written.
    ///   - position: The position of its first character.
    package init(_ text: String, at position: SourcePosition) {
        self.text = text
        self.position = position
    }
}

/// A rule as written, before validation.
package struct RuleDescription: Sendable {
    /// The actions granted to one grantee.
    package struct Grant: Sendable {
        /// The name of the grantee.
        package var grantee: SourceText
        /// The names of the granted actions.
        package var actions: [SourceText]
        /// Limits that override the rule's.
        package var constraints: AccessConstraints

        /// - Parameters:
        ///   - grantee: The name of the grantee.
        ///   - actions: The names of the granted actions.
        ///   - constraints: Limits that override the rule's.
        package init(_ grantee: SourceText, _ actions: [SourceText], constraints: AccessConstraints = .init()) {
            self.grantee = grantee
            self.actions = actions
            self.constraints = constraints
        }
    }

    /// The path template; nil if it is missing or unreadable, which is already reported.
    package var path: SourceText?
    /// The store's name; nil for the default store.
    package var store: SourceText?
    /// Whether `store` is unreadable, which is already reported.
    package var hasUnreadableStore = false
    /// The grants, one per grantee.
    package var grants: [Grant]
    /// The limits on all grants.
    package var constraints: AccessConstraints

    /// - Parameters:
    ///   - path: The path template; nil if it is missing or unreadable.
    ///   - store: The store's name; nil for the default store.
    ///   - grants: The grants, one per grantee.
    ///   - constraints: The limits on all grants.
    package init(
        path: SourceText?, store: SourceText? = nil, grants: [Grant], constraints: AccessConstraints = .init()
    ) {
        self.path = path
        self.store = store
        self.grants = grants
        self.constraints = constraints
    }
}

/// A `deny` entry as written, before validation.
package struct DenialDescription: Sendable {
    /// The path pattern; nil if it is missing or unreadable, which is already reported.
    package var path: SourceText?
    /// The store's name; nil for every store, because a denial that is too wide is safer than one that is too narrow.
    package var store: SourceText?
    /// The names of the denied actions; nil for all.
    package var actions: [SourceText]?

    /// - Parameters:
    ///   - path: The path pattern; nil if it is missing or unreadable.
    ///   - store: The store's name; nil for every store.
    ///   - actions: The names of the denied actions; nil for all.
    package init(path: SourceText?, store: SourceText? = nil, actions: [SourceText]? = nil) {
        self.path = path
        self.store = store
        self.actions = actions
    }
}

/// A named set of rules. The only preset is `amplify`, the folders of Amplify Storage.
struct PolicyPreset {
    let rules: [RuleDescription]

    /// Reads one item of `presets`: a name, or a mapping from the name to its options.
    ///
    /// The option of `amplify` is `guest`, the actions granted to guests on `public/**`. By default guests get no
    /// actions.
    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        guard node.isMapping else {
            let name = try node.string()
            guard name == "amplify" else {
                throw node.error("names the unknown preset `\(name)`; the only preset is `amplify`")
            }
            rules = Self.amplify(guest: [], at: node.position)
            return
        }
        let options = try node.mapping(["amplify"]).required("amplify").mapping(["guest"])
        rules = Self.amplify(guest: try options["guest"].map(SourceText.list) ?? [], at: node.position)
    }

    /// The access levels of Amplify Storage: public, protected, private.
    private static func amplify(guest: [SourceText], at position: SourcePosition) -> [RuleDescription] {
        func rule(_ path: String, _ grants: [(String, [String])]) -> RuleDescription {
            let grants = grants.map { grantee, actions in
                RuleDescription.Grant(
                    SourceText(grantee, at: position), actions.map { SourceText($0, at: position) })
            }
            return RuleDescription(path: SourceText(path, at: position), grants: grants)
        }
        let all = ["read", "write", "delete"]
        var shared = rule("public/**", [("authenticated", all)])
        if !guest.isEmpty { shared.grants.append(.init(SourceText("guest", at: position), guest)) }
        return [
            shared,
            rule("protected/{identity}/**", [("everyone", ["read"]), ("owner", all)]),
            rule("private/{identity}/**", [("owner", all)]),
        ]
    }
}
