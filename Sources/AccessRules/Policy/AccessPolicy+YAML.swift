package import DataFormats
import Presigning
import Text

extension AccessPolicy {
    /// Reads and compiles the sections `rules`, `deny`, `presets` and `groups` of the configuration.
    ///
    /// - Throws: The first mistake in the order of the file, with all others in its `further`.
    package static func compiled(
        _ sections: ConfigurationMapping, _ inputs: PolicyInputs
    ) throws(ConfigurationError) -> (policy: AccessPolicy, warnings: [ConfigurationError]) {
        var builder = AccessPolicyBuilder(inputs)
        let presets = builder.items(of: sections["presets"], RuleDescription.preset)
        for rule in presets.joined() { builder.add(rule) }
        for rule in builder.items(of: sections["rules"], RuleDescription.init) { builder.add(rule) }
        for denial in builder.items(of: sections["deny"], DenialDescription.init) { builder.add(denial) }
        if let groups = sections["groups"] {
            let word = groups.mistakes.collect(at: groups) { try $0.word(among: ["additive", "exclusive"]) }
            builder.groups = word == "exclusive" ? .exclusive : .additive
        }
        return try builder.compiled()
    }
}

extension AccessPolicyBuilder {
    /// Reads each item of a list. A mistake in one item is collected, and the next item is read.
    fileprivate mutating func items<Description>(
        of node: ConfigurationNode?, _ read: (ConfigurationNode) throws(ConfigurationError) -> Description
    ) -> [Description] {
        var items: [Description] = []
        do throws(ConfigurationError) {
            for item in try node?.list() ?? [] {
                do throws(ConfigurationError) { items.append(try read(item)) } catch { mistakes.append(error) }
            }
        } catch {
            mistakes.append(error)
        }
        return items
    }
}

extension SourceText {
    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        self.init(try node.string(), at: node.position)
    }

    static func list(_ node: ConfigurationNode) throws(ConfigurationError) -> [SourceText] {
        try node.each { try SourceText($0) }
    }

    /// Reads the actions of a grantee or a denial; at least one.
    fileprivate static func actions(
        _ node: ConfigurationNode, of owner: SourceText
    ) throws(ConfigurationError) -> [SourceText] {
        if try node.list().isEmpty {
            throw ConfigurationError(owner.position, "\(owner.text.quoted) needs at least one action, such as `get`")
        }
        return try list(node)
    }
}

extension RuleDescription {
    /// Reads one item of `rules`.
    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["path", "store", "allow", "read", "write", "multipart", "expires", "share"])
        var constraints = AccessConstraints()
        constraints.read(AccessLimit.Section.allCases, in: keys)
        let path = keys.required("path") { try SourceText($0) }
        let store = keys.value("store") { try SourceText($0) }
        let grants = keys.required("allow") { allow in
            let source = path ?? SourceText(node.path, at: node.position)
            let members = try allow.members()
            if members.isEmpty {
                throw ConfigurationError(
                    source.position,
                    "the rule \(source.text.quoted) grants nothing; add a grantee to `allow`, or use `deny`"
                )
            }
            return members.map(Grant.init)
        }
        self.init(
            path: path, store: store, hasUnreadableStore: store == nil && keys["store"] != nil, grants: grants ?? [],
            constraints: constraints)
    }
}

extension RuleDescription.Grant {
    /// Reads a member of `allow`: a list of actions, or a mapping with `actions` and limits. Mistakes are collected.
    init(_ member: ConfigurationNode.Member) {
        let grantee = SourceText(member.key, at: member.keyPosition)
        var constraints = AccessConstraints()
        let actions = member.value.mistakes.collect(at: member.value) { node in
            if node.isList { return try SourceText.actions(node, of: grantee) }
            guard node.isMapping else {
                throw node.error("must be a list of actions such as [get], or a mapping with `actions`")
            }
            let keys = try node.mapping(
                ["actions", "expires", "share"] + AccessLimit.Section.read.keys + AccessLimit.Section.write.keys)
            constraints.read(.read, from: keys)
            constraints.read(.write, from: keys)
            constraints.read([.expires, .share], in: keys)
            return keys.required("actions") { try SourceText.actions($0, of: grantee) } ?? []
        }
        self.init(grantee: grantee, actions: actions ?? [], constraints: constraints)
    }
}

extension DenialDescription {
    /// Reads one item of `deny`.
    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["path", "store", "actions"])
        let path = keys.required("path") { try SourceText($0) }
        self.init(
            path: path, store: keys.value("store") { try SourceText($0) },
            actions: keys.value("actions") {
                try SourceText.actions($0, of: path ?? SourceText(node.path, at: node.position))
            })
    }
}
