/// The members of a mapping whose keys have been checked against the list of known ones.
package struct ConfigurationMapping {
    /// The members in the order of the file.
    package let members: [ConfigurationNode.Member]
    /// Where the mapping starts.
    package let position: SourcePosition
    package let path: String
    package let mistakes: ConfigurationErrorCollector
    /// The mistakes already collected for unknown keys, with the known keys that were probably meant.
    package let unknown: [(meant: String?, mistake: ConfigurationError)]

    /// The value of a key, or nil when the file does not have it.
    package subscript(key: String) -> ConfigurationNode? {
        members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }

    /// The value of a key that must be there.
    ///
    /// - Throws: `ConfigurationError` naming the key, at the position of the mapping. In a mapping with unknown keys one of
    ///   them was probably meant, and its mistake is thrown instead.
    package func required(_ key: String) throws(ConfigurationError) -> ConfigurationNode {
        if let value = self[key] { return value }
        if let unknown = unknown.first(where: { $0.meant == key }) ?? unknown.first { throw unknown.mistake }
        let place = path.isEmpty ? "the top level" : "`\(path)`"
        throw ConfigurationError(position, "\(place) needs the key `\(key)`; add it")
    }

    /// Reads the value of a key, if the key is there. A mistake in it is collected, and the next key is read too.
    ///
    /// - Returns: nil without the key, and after a mistake.
    package func value<Value>(_ key: String, _ body: (ConfigurationNode) throws -> Value) -> Value? {
        self[key].flatMap { mistakes.collect(at: $0, body) }
    }

    /// Reads the value of a key into a variable, as `value` does. Without a value the variable stays as it is.
    package func read<Value>(_ key: String, into variable: inout Value, _ body: (ConfigurationNode) throws -> Value) {
        if let value = value(key, body) { variable = value }
    }
}

extension ConfigurationNode {
    /// The node as a mapping that may have the given keys only. An unknown key is collected as a mistake, with the known key
    /// that it resembles, or with all known keys.
    ///
    /// - Throws: `ConfigurationError` for another kind of node, and for a duplicate key (at the second one).
    package func mapping(_ keys: [String]) throws(ConfigurationError) -> ConfigurationMapping {
        let members = try self.members()
        var unknown: [(meant: String?, mistake: ConfigurationError)] = []
        for member in members where !keys.contains(where: { $0.utf8.elementsEqual(member.key.utf8) }) {
            let meant = Suggestion.nearest(to: member.key, among: keys)
            let known = keys.map { "`\($0)`" }.joined(separator: ", ")
            let mistake = ConfigurationError(
                member.keyPosition,
                "unknown key `\(member.value.path)`"
                    + (meant == nil ? "; allowed here: \(known)" : Suggestion.text(meant)))
            mistakes.add(mistake)
            unknown.append((meant, mistake))
        }
        return ConfigurationMapping(
            members: members, position: position, path: path, mistakes: mistakes, unknown: unknown)
    }

    /// Reads each item of a list. A mistake in one is collected, and the next one is read too.
    ///
    /// - Throws: `ConfigurationError` for another kind of node.
    package func each<Value>(_ body: (ConfigurationNode) throws -> Value) throws(ConfigurationError) -> [Value] {
        try list().compactMap { mistakes.collect(at: $0, body) }
    }

    /// The members of a mapping with free keys, such as names of stores.
    ///
    /// - Throws: `ConfigurationError` for another kind of node, an empty key, and a duplicate key.
    package func members() throws(ConfigurationError) -> [Member] {
        guard case .mapping(let members) = content else {
            throw mismatch(expected: "a mapping (`key: value` lines)")
        }
        var seen: Set<[UInt8]> = []
        for member in members {
            if member.key.isEmpty { throw ConfigurationError(member.keyPosition, "a key must not be empty") }
            guard seen.insert(Array(member.key.utf8)).inserted else {
                throw ConfigurationError(member.keyPosition, "the key `\(member.value.path)` stands twice; keep one")
            }
        }
        return members
    }

    /// The node as a list.
    ///
    /// - Throws: `ConfigurationError` for another kind of node.
    package func list() throws(ConfigurationError) -> [ConfigurationNode] {
        guard case .list(let items) = content else {
            throw mismatch(expected: "a list (`[a, b]`, or lines that begin with `- `)")
        }
        return items
    }

    /// Whether the node is a list; for values that may be written short or long.
    package var isList: Bool {
        if case .list = content { true } else { false }
    }

    /// Whether the node is a mapping; for values that may be written short or long.
    package var isMapping: Bool {
        if case .mapping = content { true } else { false }
    }

    /// An error at this node, with its path before the message.
    package func error(_ message: String) -> ConfigurationError {
        ConfigurationError(position, path.isEmpty ? message : "`\(path)` \(message)")
    }

    /// - Parameter isShort: whether what is expected is a number or a word of a few characters. What stands there then is
    ///   named, if it is that short, too: a key or a hash is longer, and may have been put into the wrong place.
    package func mismatch(expected: String, isShort: Bool = false) -> ConfigurationError {
        let found =
            switch content {
            case .mapping: "a mapping"
            case .list: "a list"
            case .scalar(let text, let isPlain) where isPlain && ["", "~", "null", "Null", "NULL"].contains(text):
                "empty"
            case .scalar(let text, isPlain: true): isShort && text.utf8.count <= 12 ? "`\(text)`" : "a plain value"
            case .scalar: "quoted text"
            }
        return error("must be \(expected), but is \(found)")
    }
}
