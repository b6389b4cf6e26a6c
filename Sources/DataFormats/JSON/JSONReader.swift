import Text

/// A strict pull parser for JSON (RFC 8259). presign parses all JSON with it.
///
/// It rejects texts that parsers interpret differently: duplicate names, unpaired surrogates, a byte order mark,
/// invalid UTF-8. Numbers keep their original text.
package struct JSONReader {
    let text: ArraySlice<UInt8>
    /// The offset in `text` of the next byte to read.
    var offset = 0
    /// How many more levels of objects and arrays are allowed.
    private var depth: Int
    /// Whether an object or array was just opened, so that no comma precedes its next element.
    private var isAtFirstElement = false

    /// The index in the text of the next byte to read.
    package var position: Int { text.startIndex + offset }

    /// - Parameter text: the complete JSON text.
    /// - Throws: `SyntaxError` for a text that is too long, invalid UTF-8, or a byte order mark (RFC 8259 section 8.1).
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
        depth = limits.depth
        skipSpace()
    }

    /// Reads any value.
    package mutating func value() throws(SyntaxError) -> JSONValue {
        switch current {
        case UInt8(ascii: "{"):
            var members: [JSONValue.Member] = []
            try readObject { reader, name throws(SyntaxError) in
                members.append(JSONValue.Member(name: [UInt8](copying: name.span), value: try reader.value()))
            }
            return .object(members)
        case UInt8(ascii: "["):
            var items: [JSONValue] = []
            try readArray { reader throws(SyntaxError) in items.append(try reader.value()) }
            return .array(items)
        default: return JSONValue(try scalar())
        }
    }

    /// Skips a value and checks its syntax, but not for duplicate names.
    package mutating func skipValue() throws(SyntaxError) {
        switch current {
        case UInt8(ascii: "{"):
            try open(UInt8(ascii: "{"), else: .expectedObject)
            while try nextName() {
                try skipString()
                try skipColon()
                try skipValue()
            }
        case UInt8(ascii: "["):
            try open(UInt8(ascii: "["), else: .expectedArray)
            while try nextItem() { try skipValue() }
        case UInt8(ascii: "\""): try skipString()
        default: _ = try scalar()
        }
    }

    /// Reads an object.
    ///
    /// - Parameter member: called with each name. It must read or skip the member's value.
    package mutating func readObject(
        _ member: (inout JSONReader, ArraySlice<UInt8>) throws(SyntaxError) -> Void
    ) throws(SyntaxError) {
        var names = DuplicateKeyDetector()
        try readMembers { reader, name throws(SyntaxError) in
            guard names.insert(name) else { return false }
            try member(&reader, name)
            return true
        }
    }

    /// Reads an object whose duplicate names the caller detects.
    ///
    /// - Parameter member: called with each name. It must read or skip the member's value, or return false for a
    ///   duplicate name.
    package mutating func readMembers(
        _ member: (inout JSONReader, ArraySlice<UInt8>) throws(SyntaxError) -> Bool
    ) throws(SyntaxError) {
        try open(UInt8(ascii: "{"), else: .expectedObject)
        while try nextName() {
            let start = offset
            let name = try string()
            try skipColon()
            guard try member(&self, name) else { throw SyntaxError(.duplicateName(Array(name)), at: start) }
        }
    }

    /// Reads an array.
    ///
    /// - Parameter item: called for each item. It must read or skip the item.
    package mutating func readArray(_ item: (inout JSONReader) throws(SyntaxError) -> Void) throws(SyntaxError) {
        try open(UInt8(ascii: "["), else: .expectedArray)
        while try nextItem() { try item(&self) }
    }

    /// Checks that only white space follows the value.
    package mutating func end() throws(SyntaxError) {
        skipSpace()
        guard offset == text.count else { throw failure(.trailingText) }
    }

    private mutating func open(_ bracket: UInt8, else reason: SyntaxError.Reason) throws(SyntaxError) {
        guard current == bracket else { throw failure(reason) }
        guard depth > 0 else { throw failure(.nestedTooDeeply) }
        offset += 1
        depth -= 1
        isAtFirstElement = true
    }

    /// Moves to the name of the next member, or past the closing brace. Returns whether there is another member.
    private mutating func nextName() throws(SyntaxError) -> Bool {
        try nextElement(before: UInt8(ascii: "}"), else: .expectedCommaOrBrace)
    }

    /// Moves from the end of a name to its value.
    private mutating func skipColon() throws(SyntaxError) {
        skipSpace()
        try expect(UInt8(ascii: ":"), else: .expectedColon)
        skipSpace()
    }

    private mutating func nextItem() throws(SyntaxError) -> Bool {
        try nextElement(before: UInt8(ascii: "]"), else: .expectedCommaOrBracket)
    }

    /// Moves to the next element of the innermost object or array, or past its closing bracket.
    ///
    /// - Returns: whether there is another element.
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
        if current == closing { throw failure(.trailingComma) }
        return true
    }
}

/// Detects duplicate names in an object by their decoded bytes.
struct DuplicateKeyDetector {
    /// The number of names that are searched linearly, which is faster than hashing. The rest are hashed, so that large
    /// objects take linear time.
    private static let linearCapacity = 16

    private var first: [ArraySlice<UInt8>] = []
    private var others: Set<ArraySlice<UInt8>> = []

    /// Inserts a name. Returns false if it is a duplicate.
    mutating func insert(_ name: ArraySlice<UInt8>) -> Bool {
        if first.contains(name) { return false }
        guard first.count == Self.linearCapacity else {
            if first.isEmpty { first.reserveCapacity(Self.linearCapacity) }
            first.append(name)
            return true
        }
        return others.insert(name).inserted
    }
}
