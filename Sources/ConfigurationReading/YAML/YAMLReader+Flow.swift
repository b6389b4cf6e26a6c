extension YAMLReader {
    static func beginsFlow(_ scalar: Unicode.Scalar) -> Bool { scalar == "[" || scalar == "{" }

    /// Reads a flow collection or a scalar.
    mutating func inlineNode(inFlow: Bool = false) throws(YAMLError) -> YAMLNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw error("nested deeper than \(Self.maximumDepth) levels") }
        switch current {
        case "[": return try flowSequence()
        case "{": return try flowMapping()
        default: return try scalar(inFlow: inFlow)
        }
    }

    private mutating func flowSequence() throws(YAMLError) -> YAMLNode {
        let start = position
        var entries: [YAMLNode] = []
        advance()
        try skipToContent()
        while current != "]" {
            entries.append(try inlineNode(inFlow: true))
            try skipToContent()
            if current == ":" { throw error("put {...} around a \"key: value\" pair inside [...]") }
            try separator(before: "]")
        }
        advance()
        return YAMLNode(.sequence(entries), at: start)
    }

    private mutating func flowMapping() throws(YAMLError) -> YAMLNode {
        let start = position
        var members: [(key: YAMLNode, value: YAMLNode)] = []
        advance()
        try skipToContent()
        while current != "}" {
            guard let first = current, !Self.beginsFlow(first) else { throw error("expected a key") }
            let key = try scalar(inFlow: true)
            try rejectDuplicate(key, in: members)
            skipBlanks()
            guard current == ":" else { throw error("expected \":\" after the key") }
            let colon = position
            advance()
            try skipToContent()
            let isEmpty = current == "," || current == "}"
            members.append(
                (key, isEmpty ? YAMLNode(.scalar("", isPlain: true), at: colon) : try inlineNode(inFlow: true)))
            try skipToContent()
            try separator(before: "}")
        }
        advance()
        return YAMLNode(.mapping(members), at: start)
    }

    /// Skips the comma after an entry. A comma before the closing bracket is allowed, as in YAML.
    private mutating func separator(before close: Unicode.Scalar) throws(YAMLError) {
        if current == "," {
            advance()
            try skipToContent()
            if current == "," { throw error("missing entry between two commas") }
        } else if current != close {
            throw error(current == nil ? "missing \"\(close)\"" : "expected \",\" or \"\(close)\"")
        }
    }
}
