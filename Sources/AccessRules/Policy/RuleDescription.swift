package import DataFormats
import Text

/// A text of the configuration with its position.
package struct SourceText: Sendable {
    /// The text as written.
    package let text: String
    /// The position of its first character.
    package let position: SourcePosition

    init(_ text: String, at position: SourcePosition) {
        self.text = text
        self.position = position
    }
}

/// A rule as written, before validation.
struct RuleDescription: Sendable {
    /// The actions granted to one grantee.
    struct Grant: Sendable {
        /// The name of the grantee.
        var grantee: SourceText
        /// The names of the granted actions.
        var actions: [SourceText]
        /// Limits that override the rule's.
        var constraints = AccessConstraints()
    }

    /// The path template; nil if it is missing or unreadable, which is already reported.
    var path: SourceText?
    /// The store's name; nil for the default store.
    var store: SourceText?
    /// Whether `store` is unreadable, which is already reported.
    var hasUnreadableStore = false
    /// The grants, one per grantee.
    var grants: [Grant]
    /// The limits on all grants.
    var constraints = AccessConstraints()
}

/// A `deny` entry as written, before validation.
struct DenialDescription: Sendable {
    /// The path pattern; nil if it is missing or unreadable, which is already reported.
    var path: SourceText?
    /// The store's name; nil for every store, because a denial that is too wide is safer than one that is too narrow.
    var store: SourceText?
    /// The names of the denied actions; nil for all.
    var actions: [SourceText]?
}

extension RuleDescription {
    /// Reads one item of `presets`: the name of a set of rules, or a mapping from the name to its options. The only
    /// preset is `amplify`, the folders of Amplify Storage.
    ///
    /// The option of `amplify` is `guest`, the actions granted to guests on `public/**`. By default guests get no
    /// actions.
    static func preset(_ node: ConfigurationNode) throws(ConfigurationError) -> [RuleDescription] {
        guard node.isMapping else {
            let name = try node.string()
            guard name == "amplify" else {
                throw node.error("names the unknown preset \(name.quoted); the only preset is `amplify`")
            }
            return amplify(guest: [], at: node.position)
        }
        let options = try node.mapping(["amplify"]).required("amplify").mapping(["guest"])
        return amplify(guest: try options["guest"].map(SourceText.list) ?? [], at: node.position)
    }

    /// The access levels of Amplify Storage: public, protected, private.
    private static func amplify(guest: [SourceText], at position: SourcePosition) -> [RuleDescription] {
        func rule(_ path: String, _ grants: [(String, [String])]) -> RuleDescription {
            let grants = grants.map { grantee, actions in
                RuleDescription.Grant(
                    grantee: SourceText(grantee, at: position), actions: actions.map { SourceText($0, at: position) })
            }
            return RuleDescription(path: SourceText(path, at: position), grants: grants)
        }
        let all = ["read", "write", "delete"]
        var shared = rule("public/**", [("authenticated", all)])
        if !guest.isEmpty { shared.grants.append(.init(grantee: SourceText("guest", at: position), actions: guest)) }
        return [
            shared,
            rule("protected/{identity}/**", [("everyone", ["read"]), ("owner", all)]),
            rule("private/{identity}/**", [("owner", all)]),
        ]
    }
}
