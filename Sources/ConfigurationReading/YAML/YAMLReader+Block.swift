extension YAMLReader {
    /// Reads the node at the current position, the first content of its line.
    ///
    /// - Parameter minimumColumn: the first column of the node. Content further left belongs to an outer node.
    mutating func blockNode(minimumColumn: Int) throws(YAMLError) -> YAMLNode {
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
            try rejectDuplicate(key, in: members)
            skipBlanks()
            let colon = position
            advance()
            members.append((key, try memberValue(after: colon, mappingColumn: start.column)))
            try skipToContent()
        }
        if index < text.count, column == start.column {
            throw error("a list entry cannot follow the keys of a mapping; check the indentation")
        }
        try requireNotDeeper(than: start.column)
        return YAMLNode(.mapping(members), at: start)
    }

    /// Reads the node after "- ", on the same line or on the next lines.
    private mutating func entryValue(after mark: YAMLPosition, minimumColumn: Int) throws(YAMLError) -> YAMLNode {
        try skipToContent()
        guard index < text.count, column >= minimumColumn else { return YAMLNode(.scalar("", isPlain: true), at: mark) }
        return try blockNode(minimumColumn: minimumColumn)
    }

    /// Reads the node after "key:", either inline or as a block on the next lines. A list may be in the key's column.
    private mutating func memberValue(after mark: YAMLPosition, mappingColumn: Int) throws(YAMLError) -> YAMLNode {
        try skipToContent()
        guard index < text.count else { return YAMLNode(.scalar("", isPlain: true), at: mark) }
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
        return YAMLNode(.scalar("", isPlain: true), at: mark)
    }

    func rejectDuplicate(
        _ key: YAMLNode, in members: [(key: YAMLNode, value: YAMLNode)]
    ) throws(YAMLError) {
        guard case .scalar(let name, _) = key.content else { return }
        for member in members {
            guard case .scalar(let other, _) = member.key.content, other.utf8.elementsEqual(name.utf8) else { continue }
            throw YAMLError(
                "duplicate key \"\(name)\" (first on line \(member.key.position.line)); keep one", at: key.position)
        }
    }

    private func requireNotDeeper(than column: Int) throws(YAMLError) {
        guard index < text.count, self.column > column else { return }
        throw error("the indentation does not match the lines above")
    }

    /// Rejects multi-line scalars, because YAML's line folding hides wrong indentation.
    private mutating func rejectContinuation(below minimumColumn: Int) throws(YAMLError) {
        try skipToContent()
        guard index < text.count, column >= minimumColumn else { return }
        throw error("a value must be on one line; fix the indentation, or write the text in quotes on one line")
    }

    /// Returns whether "key:" is at the current position, without moving.
    private func isMappingKey() throws(YAMLError) -> Bool {
        var probe = self
        guard let first = probe.current, !Self.beginsFlow(first) else { return false }
        _ = try probe.scalar(inFlow: false)
        probe.skipBlanks()
        return probe.current == ":" && probe.isBlankOrEnd(at: probe.index + 1)
    }
}
