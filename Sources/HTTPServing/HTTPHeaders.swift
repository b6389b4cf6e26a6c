internal import Bytes

/// A message's header fields, in the order received: views of the message's bytes, nothing joined, decoded or repaired.
public struct HTTPHeaders: Sendable {
    /// Where one field's name and value (without surrounding blanks) stand.
    struct Field: Sendable, Equatable {
        var name: ByteRange
        var value: ByteRange
    }

    /// The message's bytes.
    let bytes: [UInt8]
    private let base: Int
    private let fields: [Field]
    /// Which lengths the names have, as bits: most names asked for are not there, and this tells without a look.
    private let lengths: UInt64

    /// Fields of a message that begins at `base` in `bytes`.
    init(bytes: [UInt8], base: Int, fields: [Field]) {
        self.bytes = bytes
        self.base = base
        self.fields = fields
        var lengths: UInt64 = 0
        for index in fields.indices { lengths |= Self.bit(fields[index].name.count) }
        self.lengths = lengths
    }

    @inline(__always)
    private static func bit(_ length: Int) -> UInt64 { 1 << UInt64(length & 63) }

    /// Fields written out, as for tests of a handler. Nothing is checked.
    public init(_ fields: [(name: String, value: String)] = []) {
        var bytes: [UInt8] = []
        var ranges: [Field] = []
        for (name, value) in fields {
            let start = bytes.count
            bytes.append(contentsOf: name.utf8)
            let middle = bytes.count
            bytes.append(contentsOf: value.utf8)
            ranges.append(Field(name: ByteRange(start, middle), value: ByteRange(middle, bytes.count)))
        }
        self.init(bytes: bytes, base: 0, fields: ranges)
    }

    /// The same fields in a longer message.
    func with(bytes: [UInt8]) -> HTTPHeaders { HTTPHeaders(bytes: bytes, base: base, fields: fields) }

    /// Whether there is a field with this name, which must be given in lower case.
    public func contains(_ lowercaseName: StaticString) -> Bool {
        index(of: lowercaseName) != nil
    }

    /// The value of the first field with this name, which must be given in lower case.
    public func first(_ lowercaseName: StaticString) -> ArraySlice<UInt8>? {
        index(of: lowercaseName).map { bytes[fields[$0].value.offset(by: base)] }
    }

    /// The value of the first field with this name, and how many there are: in one look.
    public func all(_ lowercaseName: StaticString) -> (first: ArraySlice<UInt8>?, count: Int) {
        guard let first = index(of: lowercaseName) else { return (nil, 0) }
        var count = 1
        for index in fields.indices.dropFirst(first + 1) where matches(fields[index], lowercaseName) { count += 1 }
        return (bytes[fields[first].value.offset(by: base)], count)
    }

    /// How many fields have this name: a security decision should not rest on the first of several.
    public func count(_ lowercaseName: StaticString) -> Int {
        guard lengths & Self.bit(lowercaseName.utf8CodeUnitCount) != 0 else { return 0 }
        var count = 0
        for index in fields.indices where matches(fields[index], lowercaseName) { count += 1 }
        return count
    }

    /// The values of all fields with this name, in order.
    public func values(_ lowercaseName: StaticString) -> [ArraySlice<UInt8>] {
        fields.filter { matches($0, lowercaseName) }.map { bytes[$0.value.offset(by: base)] }
    }

    /// Shows all fields in order: where each stands, its name as received, and its value.
    public func forEach(_ body: (_ position: Int, _ name: Span<UInt8>, _ value: Span<UInt8>) -> Void) {
        let span = bytes.span
        for (position, field) in fields.enumerated() {
            body(position, span.extracting(field.name.offset(by: base)), span.extracting(field.value.offset(by: base)))
        }
    }

    private func index(of name: StaticString) -> Int? {
        guard lengths & Self.bit(name.utf8CodeUnitCount) != 0 else { return nil }
        for index in fields.indices where matches(fields[index], name) { return index }
        return nil
    }

    private func matches(_ field: Field, _ name: StaticString) -> Bool {
        guard field.name.count == name.utf8CodeUnitCount else { return false }
        return bytes.span.extracting(field.name.offset(by: base)).equalsIgnoringCase(name)
    }
}

extension HTTPHeaders: RandomAccessCollection {
    /// The first field's position.
    public var startIndex: Int { 0 }
    /// The number of fields.
    public var endIndex: Int { fields.count }

    /// A field's name as received and its value.
    public subscript(position: Int) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
        let field = fields[position]
        return (bytes[field.name.offset(by: base)], bytes[field.value.offset(by: base)])
    }
}
