import Text

/// The members of a mapping, with unknown keys already reported.
package struct ConfigurationMapping {
    /// The members in the order of the file.
    package let members: [ConfigurationNode.Member]
    /// The position of the mapping.
    package let position: SourcePosition
    package let path: String
    package let mistakes: ConfigurationErrorCollector
    /// The errors reported for unknown keys, each with the most similar known key.
    package let unknown: [(suggestion: String?, error: ConfigurationError)]

    /// Returns the value of a key, or nil if the key is missing.
    package subscript(key: String) -> ConfigurationNode? {
        members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }

    /// Returns the value of a required key.
    ///
    /// - Throws: `ConfigurationError` at the position of the mapping if the key is missing. If an unknown key is
    ///   probably a typo of it, the error of the unknown key is thrown instead.
    package func required(_ key: String) throws(ConfigurationError) -> ConfigurationNode {
        if let value = self[key] { return value }
        if let unknown = unknown.first(where: { $0.suggestion == key }) { throw unknown.error }
        let name = path.isEmpty ? "the top level" : "\(path.quoted)"
        throw ConfigurationError(position, "\(name) needs the key `\(key)`; add it")
    }

    /// Whether an unknown key is probably a typo of this one.
    package func isMisspelled(_ key: String) -> Bool { unknown.contains { $0.suggestion == key } }

    /// Reads the value of a key. An error is collected, so that reading continues with the next key.
    ///
    /// - Returns: the value, or nil if the key is missing or its value is invalid.
    package func value<Value>(_ key: String, _ body: (ConfigurationNode) throws -> Value) -> Value? {
        self[key].flatMap { mistakes.collect(at: $0, body) }
    }

    /// Reads the value of a required key. The error of a missing key or an invalid value is collected.
    ///
    /// - Returns: the value, or nil after an error.
    package func required<Value>(_ key: String, _ body: (ConfigurationNode) throws -> Value) -> Value? {
        do throws(ConfigurationError) {
            return mistakes.collect(at: try required(key), body)
        } catch {
            mistakes.add(error)
            return nil
        }
    }

    /// The error to throw after all keys are read if a required value is missing. It is already collected, so it is
    /// reported once.
    package var incomplete: ConfigurationError {
        mistakes.last ?? ConfigurationError(position, "\(path.quoted) is incomplete")
    }

    /// Reads the value of a key into a variable, like `value`. Leaves the variable unchanged without a value.
    package func read<Value>(_ key: String, into variable: inout Value, _ body: (ConfigurationNode) throws -> Value) {
        if let value = value(key, body) { variable = value }
    }
}

extension ConfigurationNode {
    /// Returns the node as a mapping with the given keys.
    ///
    /// The errors of unknown keys are collected. They suggest the most similar known key or list all known keys.
    ///
    /// - Throws: `ConfigurationError` if the node is not a mapping.
    package func mapping(_ keys: [String]) throws(ConfigurationError) -> ConfigurationMapping {
        let members = try self.members()
        var unknown: [(suggestion: String?, error: ConfigurationError)] = []
        for member in members where !keys.contains(where: { $0.utf8.elementsEqual(member.key.utf8) }) {
            let suggestion = Suggestion.nearest(to: member.key, among: keys)
            let known = keys.map { "`\($0)`" }.joined(separator: ", ")
            let error = ConfigurationError(
                member.keyPosition,
                "unknown key \(member.value.path.quoted)"
                    + (suggestion == nil ? "; allowed here: \(known)" : Suggestion.text(suggestion)))
            mistakes.add(error)
            unknown.append((suggestion, error))
        }
        return ConfigurationMapping(
            members: members, position: position, path: path, mistakes: mistakes, unknown: unknown)
    }

    /// Reads each item of a list. Errors are collected, so that reading continues with the next item.
    ///
    /// - Throws: `ConfigurationError` if the node is not a list.
    package func each<Value>(_ body: (ConfigurationNode) throws -> Value) throws(ConfigurationError) -> [Value] {
        try list().compactMap { mistakes.collect(at: $0, body) }
    }

    /// Returns the members of a mapping with arbitrary keys, such as the names of stores. The error of an empty key is
    /// collected.
    ///
    /// - Throws: `ConfigurationError` if the node is not a mapping.
    package func members() throws(ConfigurationError) -> [Member] {
        guard case .mapping(let members) = content else {
            throw mismatch(expected: "a mapping (`key: value` lines)")
        }
        for member in members where member.key.isEmpty {
            mistakes.add(ConfigurationError(member.keyPosition, "a key must not be empty"))
        }
        return members
    }

    /// Returns the items of a list.
    ///
    /// - Throws: `ConfigurationError` if the node is not a list.
    package func list() throws(ConfigurationError) -> [ConfigurationNode] {
        guard case .list(let items) = content else {
            throw mismatch(expected: "a list (`[a, b]`, or lines that begin with `- `)")
        }
        return items
    }

    /// Whether the node is a list, for values that have a short and a long form.
    package var isList: Bool {
        if case .list = content { true } else { false }
    }

    /// Whether the node is a mapping, for values that have a short and a long form.
    package var isMapping: Bool {
        if case .mapping = content { true } else { false }
    }

    /// Returns an error at this node. The path of the node precedes the message.
    package func error(_ message: String) -> ConfigurationError {
        ConfigurationError(position, path.isEmpty ? message : "\(path.quoted) \(message)")
    }

    /// Returns an error for a node of the wrong type or out of range.
    ///
    /// - Parameter isShort: whether a number or a short word is expected. The message then quotes the value if it has
    ///   at most 12 bytes. A longer value may be a secret under the wrong key.
    package func mismatch(expected: String, isShort: Bool = false) -> ConfigurationError {
        let found =
            switch content {
            case .mapping: "a mapping"
            case .list: "a list"
            case .scalar(let text, let isPlain) where isPlain && ["", "~", "null", "Null", "NULL"].contains(text):
                "empty"
            case .scalar(let text, isPlain: true): isShort && text.utf8.count <= 12 ? "`\(text)`" : "a plain value"
            case .scalar: isShort ? "quoted text; remove the quotation marks" : "quoted text"
            }
        return error("must be \(expected), but is \(found)")
    }
}
