/// A node of a YAML configuration file, with its path and position.
///
/// YAML 1.1 reads `yes` as true, `012` as 10 and `1:30` as 90. To avoid such surprises, scalars keep their text, and
/// each accessor accepts exactly one notation.
package struct ConfigurationNode {
    /// The position of the node.
    package let position: SourcePosition
    /// The path of the node, such as `stores.media.region` or `rules[2].allow`. Empty for the root.
    package let path: String
    package let content: Content
    /// The errors found in this file so far.
    package let mistakes: ConfigurationErrorCollector

    /// The content of a node.
    package enum Content {
        case scalar(text: String, isPlain: Bool)
        case list([ConfigurationNode])
        case mapping([Member])
    }

    /// A member of a mapping with the position of its key.
    package struct Member {
        /// The text of the key. `YAMLReader` rejects duplicates.
        package let key: String
        /// The position of the key.
        package let keyPosition: SourcePosition
        /// The value.
        package let value: ConfigurationNode
    }

    /// Reads a YAML document and reports all errors in it.
    ///
    /// - Parameters:
    ///   - yaml: the content of the file in UTF-8.
    ///   - file: the path of the file for positions.
    ///   - body: reads the root node.
    /// - Throws: `ConfigurationError` for the first error that `body` throws or collects, in the order of the file,
    ///   with the others in `further`. An error from `YAMLReader` is thrown alone.
    package static func read<Value>(
        _ yaml: [UInt8], file: String, _ body: (ConfigurationNode) throws -> Value
    ) throws(ConfigurationError) -> Value {
        let root = try YAMLReader.read(yaml, file: file)
        let value = root.mistakes.collect(at: root, body)
        try root.mistakes.check()
        // Not reached: without a value, `check` has thrown an error.
        guard let value else { throw root.error("cannot be read") }
        return value
    }
}
