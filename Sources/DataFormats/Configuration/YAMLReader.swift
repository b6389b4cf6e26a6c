/// A parser for the subset of YAML 1.2 that configuration files need: block and flow collections, plain and quoted
/// scalars, comments.
///
/// It rejects the confusing features of YAML: anchors and aliases (which can also expand without bound), tags, multiple
/// documents, complex keys, duplicate keys, tabs as indentation, multi-line scalars. Every accepted document means the
/// same to other YAML 1.2 parsers. A document may begin with a byte order mark, `%YAML 1.2` and `---`, and end with
/// `...`.
package struct YAMLReader {
    static let maximumDepth = 32

    private let file: String
    private let mistakes = ConfigurationErrorCollector()
    /// The document as scalars, because columns count scalars.
    package private(set) var text: [Unicode.Scalar]
    package var index = 0
    package var line = 1
    package var lineStart = 0
    package var depth = 0
    /// The path of the node that is being read.
    var path = ""

    /// Parses a document and returns its root node. An empty document is an empty plain scalar.
    ///
    /// - Parameter file: the path of the file for positions.
    package static func read(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> ConfigurationNode {
        let text = String(validating: bytes, as: UTF8.self)
        // Windows editors begin a file with a byte order mark (YAML 1.2 section 5.2).
        let scalars = (text ?? "").unicodeScalars
        var reader = YAMLReader(
            file: file, text: Array(scalars.first == "\u{FEFF}" ? scalars.dropFirst() : scalars[...]))
        if text == nil { throw reader.error("the file is not valid UTF-8; save it as UTF-8") }
        return try reader.document()
    }

    private init(file: String, text: [Unicode.Scalar]) {
        (self.file, self.text) = (file, text)
    }

    /// Reads the document: what is before it, its root node up to the next marker, and what is after it.
    private mutating func document() throws(ConfigurationError) -> ConfigurationNode {
        try requireAllowedCharacters()
        let start = try documentStart()
        let whole = text
        // A marker ends the document wherever it is, also inside a flow collection (YAML 1.2 section 9.1.2).
        text = Array(whole[..<nextMarker])
        let root = try rootNode(after: start)
        text = whole
        try requireEnd()
        return root
    }

    private mutating func requireAllowedCharacters() throws(ConfigurationError) {
        let bad = text.indices.first { index in
            // Other parsers take a carriage return alone for a line end.
            text[index] == "\r" ? index + 1 == text.count || text[index + 1] != "\n" : Self.isForbidden(text[index])
        }
        guard let bad else { return }
        while index < bad { advance() }
        throw error("the character U+\(String(text[bad].value, radix: 16, uppercase: true)) is not allowed")
    }

    /// Skips comments, a directive and `---`. Returns the position of `---`; nil without it.
    private mutating func documentStart() throws(ConfigurationError) -> SourcePosition? {
        try skipToContent()
        let hasDirective = try skipDirective()
        guard isMarker(at: index) else {
            if hasDirective { throw error("add a line \"---\" between the directive and the document") }
            return nil
        }
        guard startsWith("---") else { throw error("\"...\" ends a document, but none precedes it; remove it") }
        let start = position
        advance(3)
        try skipToContent()
        return start
    }

    /// Skips `%YAML 1.2` and what follows up to the next content. Returns whether it is present.
    private mutating func skipDirective() throws(ConfigurationError) -> Bool {
        guard column == 1, current == "%" else { return false }
        let words = text[index...].prefix { !Self.isLineEnd($0) && $0 != "#" }.split(separator: " ")
        guard words.count == 2, words[0].elementsEqual("%YAML".unicodeScalars),
            words[1].elementsEqual("1.2".unicodeScalars)
        else { throw error("the only directive that is supported is \"%YAML 1.2\"; remove this line") }
        while words[1].endIndex > index { advance() }
        try endLine()
        try skipToContent()
        return true
    }

    /// Reads the root node. Only a scalar or a flow collection may be on the line of `---`.
    private mutating func rootNode(after start: SourcePosition?) throws(ConfigurationError) -> ConfigurationNode {
        guard index < text.count else { return empty(at: start ?? position) }
        guard let start else { return try blockNode(minimumColumn: 1) }
        if line == start.line, !isSequenceEntry, try isMappingKey() {
            throw error("a mapping must begin on the line after \"---\"")
        }
        return try memberValue(after: start, mappingColumn: 0)
    }

    /// Checks that only `...` and comments follow the root node.
    private mutating func requireEnd() throws(ConfigurationError) {
        try skipToContent()
        guard index < text.count else { return }
        guard isMarker(at: index) else { throw error("expected the end of the document; check the indentation") }
        if startsWith("...") {
            advance(3)
            try skipToContent()
            guard index < text.count else { return }
        }
        guard isMarker(at: index), startsWith("---") else { throw error("nothing may follow \"...\"; remove it") }
        throw error("a second document is not supported; keep one in this file")
    }

    /// The index of the next marker at or after the current position; that of the end without one.
    private var nextMarker: Int {
        (index..<text.count).first { isMarker(at: $0) } ?? text.count
    }

    /// Returns whether `---` or `...` is alone at the start of a line, or before a blank.
    private func isMarker(at index: Int) -> Bool {
        guard index == 0 || text[index - 1] == "\n" else { return false }
        let isMark = ["---", "..."].contains { text[index...].starts(with: $0.unicodeScalars) }
        return isMark && isBlankOrEnd(at: index + 3)
    }

    // MARK: Position

    package var column: Int { index - lineStart + 1 }
    package var position: SourcePosition { SourcePosition(file: file, line: line, column: column) }
    package var current: Unicode.Scalar? { index < text.count ? text[index] : nil }

    package func error(_ message: String, at position: SourcePosition? = nil) -> ConfigurationError {
        ConfigurationError(position ?? self.position, "YAML: \(message)")
    }

    /// The node at the current path.
    func node(_ content: ConfigurationNode.Content, at position: SourcePosition) -> ConfigurationNode {
        ConfigurationNode(position: position, path: path, content: content, mistakes: mistakes)
    }

    func empty(at position: SourcePosition) -> ConfigurationNode {
        node(.scalar(text: "", isPlain: true), at: position)
    }

    package mutating func advance(_ count: Int = 1) {
        for _ in 0..<count {
            // Carriage returns are accepted only before line feeds, so line feeds count the lines.
            if text[index] == "\n" {
                line += 1
                lineStart = index + 1
            }
            index += 1
        }
    }

    func startsWith(_ prefix: String) -> Bool {
        text[index...].starts(with: prefix.unicodeScalars)
    }

    func isBlankOrEnd(at index: Int) -> Bool {
        index >= text.count || Self.isBlank(text[index]) || Self.isLineEnd(text[index])
    }

    // MARK: Blanks, comments and line ends

    /// Skips spaces within a line.
    package mutating func skipBlanks() {
        while current == " " { advance() }
    }

    /// Skips spaces, comments and line ends up to the next content.
    mutating func skipToContent() throws(ConfigurationError) {
        while true {
            let start = index
            skipBlanks()
            guard let scalar = current else { return }
            if scalar == "\t" { throw error("tabs are allowed only in quotes; use spaces") }
            if scalar == "#", start == index, index > lineStart, !Self.isBlank(text[index - 1]) {
                throw error("add a space before \"#\"")
            }
            if scalar == "#" {
                while let next = current, !Self.isLineEnd(next) { advance() }
            } else if Self.isLineEnd(scalar) {
                advance()
            } else {
                return
            }
        }
    }

    /// Checks that only a comment follows a value on its line.
    mutating func endLine() throws(ConfigurationError) {
        let before = index
        skipBlanks()
        guard let scalar = current, !Self.isLineEnd(scalar) else { return }
        if scalar == "#", before < index { return }
        throw error("unexpected text after the value; put text with special characters in quotes")
    }

    package static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
    static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\r" }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: false
        case ..<0x20, 0x7F...0x9F, 0xFEFF: true
        default: false
        }
    }
}
