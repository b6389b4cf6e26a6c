import Text

/// A range of a message's bytes, relative to its first byte, so it stays valid when the message moves to another
/// buffer.
package struct ByteRange: Sendable, Equatable {
    package var start: UInt32 = 0
    package var end: UInt32 = 0

    package init() {}

    /// Creates a range; `HTTPLimits` bounds messages far below 4 GiB, so 32 bits suffice.
    package init(_ start: Int, _ end: Int) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.end = UInt32(truncatingIfNeeded: end)
    }

    /// Creates a range from one that is relative to `base`.
    init(_ range: Range<Int>, from base: Int) { self.init(base + range.lowerBound, base + range.upperBound) }

    package var count: Int { Int(end) - Int(start) }
    package var isEmpty: Bool { start == end }

    /// Returns the range in a buffer where the message begins at `base`.
    package func offset(by base: Int) -> Range<Int> { (base + Int(start))..<(base + Int(end)) }
}

extension Span<UInt8> {
    /// Whether all bytes are token characters (RFC 9110 5.6.2).
    var isToken: Bool {
        for index in indices where !ASCII.isToken(self[index]) { return false }
        return true
    }

    /// Compares without regard to ASCII case; `lowercase` must be lower-case.
    package func matches(_ range: ByteRange, _ lowercase: StaticString) -> Bool {
        extracting(Int(range.start)..<Int(range.end)).equalsIgnoringCase(lowercase)
    }

    /// Returns `range` without spaces and tabs at either end.
    package func trimmed(_ range: Range<Int>) -> ByteRange {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, ASCII.isBlank(self[start]) { start += 1 }
        while end > start, ASCII.isBlank(self[end - 1]) { end -= 1 }
        return ByteRange(start, end)
    }
}

/// The positions of a message's header fields in its bytes, in the order received.
package struct FieldTable: Sendable {
    /// The ranges of one field's name and value; the value excludes surrounding whitespace.
    package struct Field: Sendable, Equatable {
        package var name: ByteRange
        package var value: ByteRange
        /// The name, if it is one that the code reads by name.
        package var known: HTTPFieldName?
    }

    /// The first `length` elements belong to this message. The rest are left over from an earlier message.
    package private(set) var fields: [Field] = []
    package private(set) var length: UInt32 = 0
    /// The known names that occur, as a bit set.
    package private(set) var names: UInt32 = 0
    /// The known names that occur more than once, as a bit set.
    package private(set) var repeated: UInt32 = 0

    /// Creates an empty table.
    package init() {}

    package var count: Int { Int(length) }

    package subscript(index: Int) -> Field {
        precondition(index < count, "field index out of range")
        return fields[index]
    }

    package mutating func append(_ field: Field) {
        if let name = field.known {
            repeated |= names & Self.bit(name)
            names |= Self.bit(name)
        }
        if count < fields.count { fields[count] = field } else { fields.append(field) }
        length += 1
    }

    /// Replaces the value of the field at `index`.
    mutating func setValue(_ value: ByteRange, of index: Int) { fields[index].value = value }

    package mutating func removeAll() { (length, names, repeated) = (0, 0, 0) }

    package func contains(_ name: HTTPFieldName) -> Bool { names & Self.bit(name) != 0 }

    /// The number of fields with this name.
    package func count(_ name: HTTPFieldName) -> Int {
        guard repeated & Self.bit(name) != 0 else { return contains(name) ? 1 : 0 }
        return fields[..<count].count { $0.known == name }
    }

    /// The index of the first field with this name.
    package func index(of name: HTTPFieldName) -> Int? {
        guard contains(name) else { return nil }
        for index in 0..<count where fields[index].known == name { return index }
        return nil
    }

    package static func bit(_ name: HTTPFieldName) -> UInt32 { 1 &<< UInt32(name.rawValue) }
}
