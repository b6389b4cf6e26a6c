private import Yams

/// One node of a YAML configuration file, with its path and position, read strictly.
///
/// YAML 1.1 turns `yes` into true, `012` into 10 and `1:30` into 90. Here nothing is resolved by the YAML library:
/// every scalar stays the text that stands in the file, and each accessor takes exactly one way of writing a value.
package struct ConfigurationNode {
    /// Where the node starts.
    package let position: SourcePosition
    /// The path of keys down to the node, such as `stores.media.region` or `rules[2].allow`; empty for the root.
    package let path: String
    let content: Content

    /// What a node holds.
    enum Content {
        case scalar(text: String, isPlain: Bool)
        case list([ConfigurationNode])
        case mapping([Member])
    }

    /// A member of a mapping with the position of its key.
    package struct Member {
        /// The key as written.
        package let key: String
        /// Where the key starts.
        package let keyPosition: SourcePosition
        /// The value.
        package let value: ConfigurationNode
    }

    /// Reads one YAML document.
    ///
    /// - Parameters:
    ///   - yaml: the bytes of the file, UTF-8
    ///   - file: its name, for positions
    /// - Throws: `ConfigurationError` for bytes that are not UTF-8, YAML syntax, duplicate keys, explicit tags,
    ///   anchors, an empty file, and more than one document.
    package init(parsing yaml: [UInt8], file: String) throws(ConfigurationError) {
        let start = SourcePosition(file: file, line: 1, column: 1)
        guard let text = String(validating: yaml, as: UTF8.self) else {
            throw ConfigurationError(start, "the file is not valid UTF-8; save it as UTF-8")
        }
        let parser: Parser
        let root: Node?
        do {
            // The basic resolver has no rules, so `yes` and `012` stay text; the encoding is named because
            // the default may be changed by an environment variable.
            parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
            root = try parser.singleRoot()
        } catch {
            throw ConfigurationError(parsing: error, file: file)
        }
        guard let root else {
            throw ConfigurationError(start, "the file is empty")
        }
        // Nodes refer to their anchors weakly: the parser owns them.
        defer { withExtendedLifetime(parser) {} }
        try self.init(root, path: "", position: start)
    }

    /// - Parameters:
    ///   - position: used where the library knows none: the enclosing node's
    private init(_ node: Node, path: String, position: SourcePosition) throws(ConfigurationError) {
        let position = SourcePosition(node.mark, in: position)
        self.position = position
        self.path = path
        // An alias repeats its node each time it is used: a few lines could stand for billions.
        guard node.anchor == nil else {
            throw ConfigurationError(position, "YAML anchors and aliases are not allowed; write the value out")
        }
        guard
            ["", "!", "tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map"]
                .contains(node.tag.description)
        else {
            throw ConfigurationError(position, "explicit YAML tags such as `!!int` are not allowed; remove the tag")
        }
        switch node {
        case .scalar(let scalar):
            content = .scalar(text: scalar.string, isPlain: scalar.style == .plain)
        case .sequence(let items):
            var list: [ConfigurationNode] = []
            for (index, item) in items.enumerated() {
                list.append(try ConfigurationNode(item, path: "\(path)[\(index)]", position: position))
            }
            content = .list(list)
        case .mapping(let pairs):
            content = .mapping(try Self.members(of: pairs, path: path, position: position))
        case .alias:
            throw ConfigurationError(position, "YAML anchors and aliases are not allowed; write the value out")
        }
    }

    private static func members(
        of pairs: Node.Mapping, path: String, position: SourcePosition
    ) throws(ConfigurationError) -> [Member] {
        var members: [Member] = []
        for (key, value) in pairs {
            let keyPosition = SourcePosition(key.mark, in: position)
            guard case .scalar(let name) = key else {
                throw ConfigurationError(keyPosition, "a key must be plain text")
            }
            let path = path.isEmpty ? name.string : "\(path).\(name.string)"
            let value = try ConfigurationNode(value, path: path, position: keyPosition)
            members.append(Member(key: name.string, keyPosition: keyPosition, value: value))
        }
        return members
    }
}

extension SourcePosition {
    fileprivate init(_ mark: Mark?, in enclosing: SourcePosition) {
        self.init(
            file: enclosing.file, line: mark?.line ?? enclosing.line, column: mark?.column ?? enclosing.column)
    }
}

extension ConfigurationError {
    /// The library's syntax errors in our form. Its own descriptions quote the line, which may hold a secret.
    fileprivate init(parsing error: any Error, file: String) {
        func at(_ mark: Mark) -> SourcePosition { SourcePosition(file: file, line: mark.line, column: mark.column) }
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            self.init(at(mark), "YAML syntax: \(problem)")
        case .duplicatedKeysInMapping(let keys, let context):
            let names = keys.map { "`\($0)`" }.joined(separator: ", ")
            self.init(at(context.mark), "the key \(names) stands more than once in this mapping; keep one")
        case .reader(let problem, let offset, _, let yaml):
            let before = yaml.prefix(offset ?? 0).unicodeScalars
            let line = before.reduce(into: 1) { $0 += $1 == "\n" ? 1 : 0 }
            let column = before.reversed().prefix { $0 != "\n" }.count + 1
            let position = SourcePosition(file: file, line: line, column: column)
            self.init(position, "YAML syntax: \(problem)")
        default:
            self.init(SourcePosition(file: file, line: 1, column: 1), "the YAML could not be read")
        }
    }
}
