import ConfigurationReading

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
