/// One node of a YAML configuration file, with its path and position, read strictly.
///
/// YAML 1.1 turns `yes` into true, `012` into 10 and `1:30` into 90. Here nothing is resolved: every scalar stays the
/// text that stands in the file, and each accessor takes exactly one way of writing a value.
package struct ConfigurationNode {
    /// Where the node starts.
    package let position: SourcePosition
    /// The path of keys down to the node, such as `stores.media.region` or `rules[2].allow`; empty for the root.
    package let path: String
    package let content: Content
    /// The mistakes found in this file so far.
    package let mistakes: ConfigurationErrorCollector

    /// What a node holds.
    package enum Content {
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

    /// Reads one YAML document. It ends with all mistakes that were found: unknown keys, and what `body` throws or collects.
    ///
    /// - Parameters:
    ///   - yaml: the bytes of the file, UTF-8
    ///   - file: its name, for positions
    ///   - body: reads the root node
    /// - Throws: `ConfigurationError` for what `YAMLReader` refuses, which ends the reading, else for the first mistake in
    ///   the order of the file, with all others in its `further`.
    package static func read<Value>(
        _ yaml: [UInt8], file: String, _ body: (ConfigurationNode) throws -> Value
    ) throws(ConfigurationError) -> Value {
        let root: ConfigurationNode
        do {
            root = ConfigurationNode(try YAMLReader.read(yaml), path: "", file: file, ConfigurationErrorCollector())
        } catch {
            throw ConfigurationError(SourcePosition(error.position, in: file), "YAML: \(error.message)")
        }
        let value = root.mistakes.collect(at: root, body)
        try root.mistakes.check()
        // Without a value there was a mistake.
        guard let value else { throw root.error("cannot be read") }
        return value
    }

    private init(_ node: YAMLNode, path: String, file: String, _ mistakes: ConfigurationErrorCollector) {
        self.mistakes = mistakes
        position = SourcePosition(node.position, in: file)
        self.path = path
        switch node.content {
        case .scalar(let text, let isPlain): content = .scalar(text: text, isPlain: isPlain)
        case .sequence(let items):
            content = .list(
                items.enumerated().map { ConfigurationNode($1, path: "\(path)[\($0)]", file: file, mistakes) })
        case .mapping(let pairs):
            content = .mapping(
                pairs.map { key, value in
                    // The reader takes nothing but scalars as keys.
                    let name = if case .scalar(let name, _) = key.content { name } else { "" }
                    return Member(
                        key: name, keyPosition: SourcePosition(key.position, in: file),
                        value: ConfigurationNode(
                            value, path: path.isEmpty ? name : "\(path).\(name)", file: file, mistakes))
                })
        }
    }
}

extension SourcePosition {
    fileprivate init(_ position: YAMLPosition, in file: String) {
        self.init(file: file, line: position.line, column: position.column)
    }
}
