/// Where the header fields of a message stand in its bytes, in the order received.
struct FieldTable: Sendable {
    /// Where one field's name and value (without surrounding blanks) stand.
    struct Field: Sendable, Equatable {
        var name: ByteRange
        var value: ByteRange
        /// What the name is, if anyone asks for it.
        var known: HTTPFieldName?
    }

    /// Those of this message come first; others are left from an earlier one, and their room is used again.
    private var fields: [Field] = []
    private(set) var count = 0
    /// Which known names there are, and which of them more than once, as bits.
    private var names: UInt32 = 0
    private var repeated: UInt32 = 0
    /// Where the first field with a known name is, if there is one: a place for every name.
    private var places = [16 of UInt32](repeating: 0)

    subscript(index: Int) -> Field {
        precondition(index < count, "no such field")
        return fields[index]
    }

    @inline(__always)
    mutating func append(_ field: Field) {
        if let name = field.known {
            if contains(name) {
                repeated |= Self.bit(name)
            } else {
                names |= Self.bit(name)
                places[Int(name.rawValue)] = UInt32(count)
            }
        }
        if count < fields.count { fields[count] = field } else { fields.append(field) }
        count += 1
    }

    /// Lets a field have another value.
    mutating func setValue(_ value: ByteRange, of index: Int) { fields[index].value = value }

    mutating func removeAll() { (count, names, repeated) = (0, 0, 0) }

    @inline(__always)
    func contains(_ name: HTTPFieldName) -> Bool { names & Self.bit(name) != 0 }

    /// The first field with a name.
    @inline(__always)
    func index(of name: HTTPFieldName) -> Int? { contains(name) ? Int(places[Int(name.rawValue)]) : nil }

    /// How many fields have a name.
    func count(of name: HTTPFieldName) -> Int {
        guard repeated & Self.bit(name) != 0 else { return contains(name) ? 1 : 0 }
        return fields[..<count].count { $0.known == name }
    }

    private static func bit(_ name: HTTPFieldName) -> UInt32 { 1 << UInt32(name.rawValue) }
}
