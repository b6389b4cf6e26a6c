/// A message's header fields, in the order received: views of the message's bytes, nothing joined, decoded or repaired.
package struct HTTPHeaders: Sendable {
    /// The message's bytes, of which `range(of:)` speaks; what else stands there is of no use.
    package var bytes: [UInt8]
    package var base: Int
    package var fields: FieldTable

    /// Fields of a message that begins at `base` in `bytes`.
    package init(bytes: [UInt8], base: Int, fields: FieldTable) {
        self.bytes = bytes
        self.base = base
        self.fields = fields
    }

    /// Fields written out, as for tests of a handler. Nothing is checked.
    package init(_ fields: [(name: String, value: String)] = []) {
        var bytes: [UInt8] = []
        var table = FieldTable()
        for (name, value) in fields {
            let start = bytes.count
            bytes.append(contentsOf: name.utf8)
            let middle = bytes.count
            bytes.append(contentsOf: value.utf8)
            table.append(
                FieldTable.Field(
                    name: ByteRange(start, middle), value: ByteRange(middle, bytes.count),
                    known: HTTPFieldName(name.utf8.span)))
        }
        self.init(bytes: bytes, base: 0, fields: table)
    }

    /// The same fields in a longer message.
    package func with(bytes: [UInt8]) -> HTTPHeaders { HTTPHeaders(bytes: bytes, base: base, fields: fields) }

    /// Whether there is a field with this name.
    @inlinable
    package func contains(_ name: HTTPFieldName) -> Bool { fields.contains(name) }

    /// Where the value of the first field with this name stands in `bytes`: a view of it costs no reference.
    @inlinable @inline(__always)
    package func range(of name: HTTPFieldName) -> Range<Int>? {
        fields.index(of: name).map { fields[$0].value.offset(by: base) }
    }

    /// The value of the first field with this name.
    @inlinable
    package func first(_ name: HTTPFieldName) -> ArraySlice<UInt8>? {
        range(of: name).map { bytes[$0] }
    }

    /// How many fields have this name: a security decision should not rest on the first of several.
    @inlinable @inline(__always)
    package func count(_ name: HTTPFieldName) -> Int { fields.count(name) }

    /// The values of all fields with this name, in order.
    package func values(_ name: HTTPFieldName) -> [ArraySlice<UInt8>] {
        (0..<fields.count).filter { fields[$0].known == name }.map { self[$0].value }
    }

    /// Shows all fields in order: where each stands, its name as received, and its value.
    package func forEach(_ body: (_ position: Int, _ name: Span<UInt8>, _ value: Span<UInt8>) -> Void) {
        let span = bytes.span
        for position in 0..<fields.count {
            let field = fields[position]
            body(position, span.extracting(field.name.offset(by: base)), span.extracting(field.value.offset(by: base)))
        }
    }
}

extension HTTPHeaders: RandomAccessCollection {
    /// The first field's position.
    package var startIndex: Int { 0 }
    /// The number of fields.
    package var endIndex: Int { fields.count }

    /// A field's name as received and its value.
    package subscript(position: Int) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
        let field = fields[position]
        return (bytes[field.name.offset(by: base)], bytes[field.value.offset(by: base)])
    }
}
