/// Where the header fields of a message stand in its bytes, in the order received.
package struct FieldTable: Sendable {
    /// Where one field's name and value (without surrounding blanks) stand.
    package struct Field: Sendable, Equatable {
        package var name: ByteRange
        package var value: ByteRange
        /// What the name is, if anyone asks for it.
        package var known: HTTPFieldName?
    }

    /// Those of this message come first; others are left from an earlier one, and their room is used again.
    package private(set) var fields: [Field] = []
    package private(set) var length: UInt32 = 0
    /// Which known names there are, and which more than once, as bits: that tells without a look at the fields.
    package private(set) var names: UInt32 = 0
    package private(set) var repeated: UInt32 = 0

    @inlinable
    package var count: Int { Int(length) }

    @inlinable
    package subscript(index: Int) -> Field {
        precondition(index < count, "no such field")
        return fields[index]
    }

    @inline(__always)
    package mutating func append(_ field: Field) {
        if let name = field.known {
            repeated |= names & Self.bit(name)
            names |= Self.bit(name)
        }
        if count < fields.count { fields[count] = field } else { fields.append(field) }
        length += 1
    }

    /// Lets a field have another value.
    mutating func setValue(_ value: ByteRange, of index: Int) { fields[index].value = value }

    package mutating func removeAll() { (length, names, repeated) = (0, 0, 0) }

    @inlinable @inline(__always)
    package func contains(_ name: HTTPFieldName) -> Bool { names & Self.bit(name) != 0 }

    /// How many fields have a name.
    @inlinable @inline(__always)
    package func count(_ name: HTTPFieldName) -> Int {
        guard repeated & Self.bit(name) != 0 else { return contains(name) ? 1 : 0 }
        return fields[..<count].count { $0.known == name }
    }

    /// The first field with a name.
    @inlinable @inline(__always)
    package func index(of name: HTTPFieldName) -> Int? {
        guard contains(name) else { return nil }
        for index in 0..<count where fields[index].known == name { return index }
        return nil
    }

    @inlinable @inline(__always)
    package static func bit(_ name: HTTPFieldName) -> UInt32 { 1 &<< UInt32(name.rawValue) }
}
