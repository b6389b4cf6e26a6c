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

    @inlinable
    package var count: Int { Int(length) }

    @inlinable
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

    @inlinable @inline(__always)
    package func contains(_ name: HTTPFieldName) -> Bool { names & Self.bit(name) != 0 }

    /// The number of fields with this name.
    @inlinable @inline(__always)
    package func count(_ name: HTTPFieldName) -> Int {
        guard repeated & Self.bit(name) != 0 else { return contains(name) ? 1 : 0 }
        return fields[..<count].count { $0.known == name }
    }

    /// The index of the first field with this name.
    @inlinable @inline(__always)
    package func index(of name: HTTPFieldName) -> Int? {
        guard contains(name) else { return nil }
        for index in 0..<count where fields[index].known == name { return index }
        return nil
    }

    @inlinable @inline(__always)
    package static func bit(_ name: HTTPFieldName) -> UInt32 { 1 &<< UInt32(name.rawValue) }
}
