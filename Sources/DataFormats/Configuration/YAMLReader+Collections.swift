extension YAMLReader {
    /// Reads the node at the current position, the first content of its line.
    ///
    /// - Parameter minimumColumn: the first column of the node. Content further left belongs to an outer node.
    mutating func blockNode(minimumColumn: Int) throws(ConfigurationError) -> ConfigurationNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw error("nested deeper than \(Self.maximumDepth) levels") }
        if isSequenceEntry { return try blockSequence() }
        if current == "?", isBlankOrEnd(at: index + 1) { throw error("complex keys (\"? \") are not supported") }
        if try isMappingKey() { return try blockMapping() }
        let node = try inlineNode()
        try endLine()
        try rejectContinuation(below: minimumColumn)
        return node
    }

    var isSequenceEntry: Bool { current == "-" && isBlankOrEnd(at: index + 1) }

    private mutating func blockSequence() throws(ConfigurationError) -> ConfigurationNode {
        let start = position
        var entries: [ConfigurationNode] = []
        while index < text.count, column == start.column, isSequenceEntry {
            let dash = position
            advance()
            let entry = try at("\(path)[\(entries.count)]") { reader throws(ConfigurationError) in
                try reader.entryValue(after: dash, minimumColumn: start.column + 1)
            }
            entries.append(entry)
            try skipToContent()
        }
        try requireNotDeeper(than: start.column)
        return node(.list(entries), at: start)
    }

    private mutating func blockMapping() throws(ConfigurationError) -> ConfigurationNode {
        let start = position
        var members: [ConfigurationNode.Member] = []
        while index < text.count, column == start.column, !isSequenceEntry {
            guard try isMappingKey() else { throw error("expected \"key: value\"") }
            let (key, keyPosition) = try key(inFlow: false, of: members)
            let colon = position
            advance()
            let value = try at(path.isEmpty ? key : "\(path).\(key)") { reader throws(ConfigurationError) in
                try reader.memberValue(after: colon, mappingColumn: start.column)
            }
            members.append(.init(key: key, keyPosition: keyPosition, value: value))
            try skipToContent()
        }
        if index < text.count, column == start.column {
            throw error("a list entry cannot follow the keys of a mapping; check the indentation")
        }
        try requireNotDeeper(than: start.column)
        return node(.mapping(members), at: start)
    }

    /// Reads the node after "- ", on the same line or on the next lines.
    private mutating func entryValue(after mark: SourcePosition, minimumColumn: Int) throws(ConfigurationError)
        -> ConfigurationNode
    {
        try skipToContent()
        guard index < text.count, column >= minimumColumn else { return empty(at: mark) }
        return try blockNode(minimumColumn: minimumColumn)
    }

    /// Reads the node after "key:", either inline or as a block on the next lines. A list may be in the key's column.
    mutating func memberValue(after mark: SourcePosition, mappingColumn: Int) throws(ConfigurationError)
        -> ConfigurationNode
    {
        try skipToContent()
        guard index < text.count else { return empty(at: mark) }
        if line == mark.line {
            if isSequenceEntry { throw error("a list must begin on a new line") }
            let node = try inlineNode()
            try endLine()
            try rejectContinuation(below: mappingColumn + 1)
            return node
        }
        if column > mappingColumn || (column == mappingColumn && isSequenceEntry) {
            return try blockNode(minimumColumn: mappingColumn + 1)
        }
        return empty(at: mark)
    }

    /// Reads a key and the blanks after it.
    private mutating func key(
        inFlow: Bool, of members: [ConfigurationNode.Member]
    ) throws(ConfigurationError) -> (key: String, position: SourcePosition) {
        let start = position
        let key = try scalar(inFlow: inFlow).text
        if let first = members.first(where: { $0.key.utf8.elementsEqual(key.utf8) }) {
            throw error("duplicate key \"\(key)\" (first on line \(first.keyPosition.line)); keep one", at: start)
        }
        skipBlanks()
        return (key, start)
    }

    /// Reads the node with a path below the current one.
    private mutating func at(
        _ inner: String, _ read: (inout Self) throws(ConfigurationError) -> ConfigurationNode
    ) throws(ConfigurationError) -> ConfigurationNode {
        let outer = path
        defer { path = outer }
        path = inner
        return try read(&self)
    }

    private func requireNotDeeper(than column: Int) throws(ConfigurationError) {
        guard index < text.count, self.column > column else { return }
        throw error("the indentation does not match the lines above")
    }

    /// Rejects multi-line scalars, because YAML's line folding hides wrong indentation.
    private mutating func rejectContinuation(below minimumColumn: Int) throws(ConfigurationError) {
        try skipToContent()
        guard index < text.count, column >= minimumColumn else { return }
        throw error("a value must be on one line; fix the indentation, or write the text in quotes on one line")
    }

    /// Returns whether "key:" is at the current position, without moving.
    func isMappingKey() throws(ConfigurationError) -> Bool {
        var probe = self
        guard let first = probe.current, !Self.beginsFlow(first) else { return false }
        _ = try probe.scalar(inFlow: false)
        probe.skipBlanks()
        return probe.current == ":" && probe.isBlankOrEnd(at: probe.index + 1)
    }

    static func beginsFlow(_ scalar: Unicode.Scalar) -> Bool { scalar == "[" || scalar == "{" }

    /// Reads a flow collection or a scalar.
    mutating func inlineNode(inFlow: Bool = false) throws(ConfigurationError) -> ConfigurationNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw error("nested deeper than \(Self.maximumDepth) levels") }
        switch current {
        case "[": return try flowSequence()
        case "{": return try flowMapping()
        default:
            let start = position
            let (text, isPlain) = try scalar(inFlow: inFlow)
            return node(.scalar(text: text, isPlain: isPlain), at: start)
        }
    }

    private mutating func flowSequence() throws(ConfigurationError) -> ConfigurationNode {
        let start = position
        var entries: [ConfigurationNode] = []
        advance()
        try skipToContent()
        while current != "]" {
            let entry = try at("\(path)[\(entries.count)]") { reader throws(ConfigurationError) in
                try reader.inlineNode(inFlow: true)
            }
            entries.append(entry)
            try skipToContent()
            if current == ":" { throw error("put {...} around a \"key: value\" pair inside [...]") }
            try separator(before: "]")
        }
        advance()
        return node(.list(entries), at: start)
    }

    private mutating func flowMapping() throws(ConfigurationError) -> ConfigurationNode {
        let start = position
        var members: [ConfigurationNode.Member] = []
        advance()
        try skipToContent()
        while current != "}" {
            guard let first = current, !Self.beginsFlow(first) else { throw error("expected a key") }
            let (key, keyPosition) = try key(inFlow: true, of: members)
            if current == "}", members.isEmpty {
                throw error("text that begins with { must be in quotes, such as \"{identity}/**\"", at: start)
            }
            guard current == ":" else { throw error("expected \":\" after the key") }
            let colon = position
            advance()
            try skipToContent()
            let value = try at(path.isEmpty ? key : "\(path).\(key)") { reader throws(ConfigurationError) in
                reader.current == "," || reader.current == "}"
                    ? reader.empty(at: colon) : try reader.inlineNode(inFlow: true)
            }
            members.append(.init(key: key, keyPosition: keyPosition, value: value))
            try skipToContent()
            try separator(before: "}")
        }
        advance()
        return node(.mapping(members), at: start)
    }

    /// Skips the comma after an entry. A comma before the closing bracket is allowed, as in YAML.
    private mutating func separator(before close: Unicode.Scalar) throws(ConfigurationError) {
        if current == "," {
            advance()
            try skipToContent()
            if current == "," { throw error("missing entry between two commas") }
        } else if current != close {
            throw error(current == nil ? "missing \"\(close)\"" : "expected \",\" or \"\(close)\"")
        }
    }
}
