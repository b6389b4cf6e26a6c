extension YAMLReader {
    /// The node that begins at the current place, which is the first content of its line.
    ///
    /// - Parameter minimumColumn: content further left belongs to an outer node.
    mutating func blockNode(minimumColumn: Int) throws(YAMLError) -> YAMLNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw error("nested deeper than \(Self.maximumDepth) levels") }
        if isSequenceEntry { return try blockSequence() }
        if current == "?", isBlankOrEnd(at: index + 1) { throw error("complex keys (\"? \") are not supported") }
        if try isMappingKey() { return try blockMapping() }
        let node = try inlineNode()
        try endLine()
        try refuseContinuation(below: minimumColumn)
        return node
    }

    private var isSequenceEntry: Bool { current == "-" && isBlankOrEnd(at: index + 1) }

    private mutating func blockSequence() throws(YAMLError) -> YAMLNode {
        let start = position
        var entries: [YAMLNode] = []
        while index < text.count, column == start.column, isSequenceEntry {
            let dash = position
            advance()
            entries.append(try entryValue(after: dash, minimumColumn: start.column + 1))
            try skipToContent()
        }
        try requireNotDeeper(than: start.column)
        return YAMLNode(.sequence(entries), at: start)
    }

    private mutating func blockMapping() throws(YAMLError) -> YAMLNode {
        let start = position
        var members: [(key: YAMLNode, value: YAMLNode)] = []
        while index < text.count, column == start.column, !isSequenceEntry {
            guard try isMappingKey() else { throw error("expected \"key: value\"") }
            let key = try scalar(inFlow: false)
            try refuseDuplicate(key, in: members)
            skipBlanks()
            let colon = position
            advance()
            members.append((key, try memberValue(after: colon, mappingColumn: start.column)))
            try skipToContent()
        }
        if index < text.count, column == start.column { throw error("a list entry stands among the keys of a mapping") }
        try requireNotDeeper(than: start.column)
        return YAMLNode(.mapping(members), at: start)
    }

    /// What follows "- ": a node on the same line, which may be a collection of its own, or one on the next lines.
    private mutating func entryValue(after mark: YAMLPosition, minimumColumn: Int) throws(YAMLError) -> YAMLNode {
        try skipToContent()
        guard index < text.count, column >= minimumColumn else { return YAMLNode(.scalar("", isPlain: true), at: mark) }
        return try blockNode(minimumColumn: minimumColumn)
    }

    /// What follows "key:": an inline node, or a block on the next lines (a list may stand at the key's own column).
    private mutating func memberValue(after mark: YAMLPosition, mappingColumn: Int) throws(YAMLError) -> YAMLNode {
        try skipToContent()
        guard index < text.count else { return YAMLNode(.scalar("", isPlain: true), at: mark) }
        if line == mark.line {
            if isSequenceEntry { throw error("a list begins on a line of its own") }
            let node = try inlineNode()
            try endLine()
            try refuseContinuation(below: mappingColumn + 1)
            return node
        }
        if column > mappingColumn || (column == mappingColumn && isSequenceEntry) {
            return try blockNode(minimumColumn: mappingColumn + 1)
        }
        return YAMLNode(.scalar("", isPlain: true), at: mark)
    }

    func refuseDuplicate(
        _ key: YAMLNode, in members: [(key: YAMLNode, value: YAMLNode)]
    ) throws(YAMLError) {
        guard case .scalar(let name, _) = key.content else { return }
        for member in members {
            guard case .scalar(let other, _) = member.key.content, other.utf8.elementsEqual(name.utf8) else { continue }
            throw YAMLError(
                "the key \"\(name)\" stands twice (first in line \(member.key.position.line))", at: key.position)
        }
    }

    private func requireNotDeeper(than column: Int) throws(YAMLError) {
        guard index < text.count, self.column > column else { return }
        throw error("the indentation fits nothing above it")
    }

    /// A scalar ends with its line; YAML's folding of plain text over lines hides mistakes.
    private mutating func refuseContinuation(below minimumColumn: Int) throws(YAMLError) {
        try skipToContent()
        guard index < text.count, column >= minimumColumn else { return }
        throw error("a value ends with its line; mend the indentation, or put the text in quotes on one line")
    }

    /// True when the line has the form "key:" from here; moves nothing.
    private func isMappingKey() throws(YAMLError) -> Bool {
        var probe = self
        guard let first = probe.current, !Self.beginsFlow(first) else { return false }
        _ = try probe.scalar(inFlow: false)
        probe.skipBlanks()
        return probe.current == ":" && probe.isBlankOrEnd(at: probe.index + 1)
    }
}
