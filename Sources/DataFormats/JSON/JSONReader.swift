import Text

/// Reads one JSON text (RFC 8259) strictly, in the order of the text. Everything that is JSON is read by it.
///
/// It refuses what parsers could understand differently: duplicate names, lone surrogates, a byte order mark, invalid
/// UTF-8. Numbers are kept as written.
package struct JSONReader {
    let text: ArraySlice<UInt8>
    /// The next byte to read, an index of the text.
    package internal(set) var position: Int
    /// How many objects and arrays may still open.
    private var depth: Int
    /// Whether an object or array was just opened, so that no comma precedes its next element.
    private var isAtFirstElement = false

    /// - Parameters:
    ///   - text: the whole text
    ///   - limits: bounds on it
    /// - Throws: `SyntaxError` for a text over the limit, invalid UTF-8, and a byte order mark (RFC 8259 section 8.1).
    package init(_ text: ArraySlice<UInt8>, limits: JSONLimits = JSONLimits()) throws(SyntaxError) {
        guard text.count <= limits.size else { throw SyntaxError(.textTooLong, at: limits.size) }
        let bytes = text.span
        do {
            _ = try UTF8Span(validating: bytes)
        } catch {
            throw SyntaxError(.invalidUTF8, at: error.byteOffsets.lowerBound)
        }
        if bytes.starts(with: "\u{FEFF}") { throw SyntaxError(.byteOrderMark, at: 0) }
        self.text = text
        position = text.startIndex
        depth = limits.depth
        skipSpace()
    }

    /// Reads any value.
    package mutating func value() throws(SyntaxError) -> JSONValue {
        switch current {
        case UInt8(ascii: "{"):
            var members: [JSONValue.Member] = []
            try readObject { reader, name throws(SyntaxError) in
                members.append(JSONValue.Member(name: name, value: try reader.value()))
            }
            return .object(members)
        case UInt8(ascii: "["):
            var items: [JSONValue] = []
            try readArray { reader throws(SyntaxError) in items.append(try reader.value()) }
            return .array(items)
        default: return try scalar()
        }
    }

    /// Steps over a value and checks its syntax. Duplicate names in it are left to the reader of that value.
    package mutating func skipValue() throws(SyntaxError) {
        switch current {
        case UInt8(ascii: "{"):
            try open(UInt8(ascii: "{"), else: .expectedObject)
            while try nextName() != nil { try skipValue() }
        case UInt8(ascii: "["):
            try open(UInt8(ascii: "["), else: .expectedArray)
            while try nextItem() { try skipValue() }
        case UInt8(ascii: "\""): try readString { _ in }
        default: _ = try scalar()
        }
    }

    /// Reads an object.
    ///
    /// - Parameter member: called with each name; it must read or skip the member's value
    package mutating func readObject(
        _ member: (inout JSONReader, [UInt8]) throws(SyntaxError) -> Void
    ) throws(SyntaxError) {
        try open(UInt8(ascii: "{"), else: .expectedObject)
        var names = DuplicateKeyDetector()
        while let (name, offset) = try nextName() {
            guard names.insert(name) else { throw SyntaxError(.duplicateName(name), at: offset) }
            try member(&self, name)
        }
    }

    /// Reads an array.
    ///
    /// - Parameter item: called at each item; it must read or skip the item
    package mutating func readArray(_ item: (inout JSONReader) throws(SyntaxError) -> Void) throws(SyntaxError) {
        try open(UInt8(ascii: "["), else: .expectedArray)
        while try nextItem() { try item(&self) }
    }

    /// Checks that nothing but space follows the value.
    package mutating func end() throws(SyntaxError) {
        skipSpace()
        guard position == text.endIndex else { throw failure(.trailingText) }
    }

    private mutating func open(_ bracket: UInt8, else reason: SyntaxError.Reason) throws(SyntaxError) {
        guard current == bracket else { throw failure(reason) }
        guard depth > 0 else { throw failure(.nestedTooDeeply) }
        position += 1
        depth -= 1
        isAtFirstElement = true
    }

    /// Steps to the value of the next member; nil after the last one.
    private mutating func nextName() throws(SyntaxError) -> (name: [UInt8], offset: Int)? {
        guard try nextElement(before: UInt8(ascii: "}"), else: .expectedCommaOrBrace) else { return nil }
        let start = offset
        let name = try string()
        skipSpace()
        try expect(UInt8(ascii: ":"), else: .expectedColon)
        skipSpace()
        return (name, start)
    }

    private mutating func nextItem() throws(SyntaxError) -> Bool {
        try nextElement(before: UInt8(ascii: "]"), else: .expectedCommaOrBracket)
    }

    /// Steps to the next element of the innermost object or array, or over its closing bracket; returns which.
    private mutating func nextElement(
        before closing: UInt8, else reason: SyntaxError.Reason
    ) throws(SyntaxError) -> Bool {
        skipSpace()
        let isFirst = isAtFirstElement
        isAtFirstElement = false
        if take(closing) {
            depth += 1
            return false
        }
        guard !isFirst else { return true }
        try expect(UInt8(ascii: ","), else: reason)
        skipSpace()
        return true
    }
}
