package import Text

/// Writes the members of objects and the elements of arrays to a buffer, with their commas. A value of nil writes nothing.
///
/// The names of members must not need escaping.
package struct JSONWriter: ~Copyable {
    private var output: ByteBuffer
    /// Whether the next member or element is the first, which has no comma before it.
    private var isFirst: Bool

    fileprivate init(_ output: consuming ByteBuffer, isFirst: Bool) {
        self.output = output
        self.isFirst = isFirst
    }

    fileprivate consuming func finish() -> ByteBuffer { output }

    /// Writes a member with the value that `value` appends.
    package mutating func member(_ name: StaticString, appending value: (inout ByteBuffer) -> Void) {
        begin(name)
        value(&output)
    }

    /// Writes a member with a string.
    package mutating func member(_ name: StaticString, _ text: Span<UInt8>) {
        begin(name)
        output.appendJSON(string: text)
    }

    /// Writes a member with a string.
    package mutating func member(_ name: StaticString, _ text: [UInt8]?) {
        if let text { member(name, text.span) }
    }

    /// Writes a member with a string.
    package mutating func member(_ name: StaticString, _ text: String?) {
        if let text { member(name, text.utf8.span) }
    }

    /// Writes a member with an integer.
    package mutating func member(_ name: StaticString, _ number: Int?) {
        guard let number else { return }
        begin(name)
        output.append(decimal: number)
    }

    /// Writes a member with an integer.
    package mutating func member(_ name: StaticString, _ number: Int64?) { member(name, number.map(Int.init)) }

    /// Writes a member with `true` or `false`.
    package mutating func member(_ name: StaticString, _ boolean: Bool?) {
        guard let boolean else { return }
        begin(name)
        output.append(boolean ? "true" : "false")
    }

    /// Writes a member with a value.
    package mutating func member(_ name: StaticString, _ value: JSONValue?) {
        guard let value else { return }
        begin(name)
        output.appendJSON(value)
    }

    /// Writes a member with a string and a name of any bytes.
    package mutating func member(named name: Span<UInt8>, _ text: Span<UInt8>) {
        element(name)
        output.append(ASCII.colon)
        output.appendJSON(string: text)
    }

    /// Writes a member with a value and a name of any bytes.
    package mutating func member(named name: Span<UInt8>, _ value: JSONValue) {
        element(name)
        output.append(ASCII.colon)
        output.appendJSON(value)
    }

    /// Writes a member with an object.
    package mutating func object(_ name: StaticString, _ members: (inout JSONWriter) -> Void) {
        begin(name)
        enclose("{", members, "}")
    }

    /// Writes a member with an object and a name of any bytes.
    package mutating func object(named name: Span<UInt8>, _ members: (inout JSONWriter) -> Void) {
        element(name)
        output.append(ASCII.colon)
        enclose("{", members, "}")
    }

    /// Writes a member with an array.
    package mutating func array(_ name: StaticString, _ elements: (inout JSONWriter) -> Void) {
        begin(name)
        enclose("[", elements, "]")
    }

    /// Writes a member with an array of strings.
    package mutating func array(_ name: StaticString, _ texts: some Sequence<String>) {
        array(name) { for text in texts { $0.element(text.utf8.span) } }
    }

    /// Writes an element, a string.
    package mutating func element(_ text: Span<UInt8>) {
        separate()
        output.appendJSON(string: text)
    }

    /// Writes an element, an object.
    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        separate()
        enclose("{", members, "}")
    }

    private mutating func begin(_ name: StaticString) {
        output.append(isFirst ? #"""# : #",""#)
        isFirst = false
        output.append(name)
        output.append(#"":"#)
    }

    private mutating func separate() {
        if !isFirst { output.append(ASCII.comma) }
        isFirst = false
    }

    private mutating func enclose(_ start: StaticString, _ content: (inout JSONWriter) -> Void, _ end: StaticString) {
        output.append(start)
        isFirst = true
        content(&self)
        isFirst = false
        output.append(end)
    }
}

extension ByteBuffer {
    /// Appends a JSON object.
    package mutating func appendObject(_ members: (inout JSONWriter) -> Void) {
        append("{")
        write(isFirst: true, members)
        append("}")
    }

    /// Appends further members to an object, each after a comma.
    package mutating func appendMembers(_ members: (inout JSONWriter) -> Void) { write(isFirst: false, members) }

    private mutating func write(isFirst: Bool, _ content: (inout JSONWriter) -> Void) {
        var writer = JSONWriter(self, isFirst: isFirst)
        content(&writer)
        self = writer.finish()
    }
}

extension ByteBuffer {
    /// Appends a value. Numbers keep their original text.
    package mutating func appendJSON(_ value: JSONValue) {
        switch value {
        case .object(let members):
            appendObject { for member in members { $0.member(named: member.name.span, member.value) } }
        case .array(let items):
            append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                appendJSON(item)
            }
            append(UInt8(ascii: "]"))
        case .string(let bytes): appendJSON(string: bytes.span)
        case .number(let text): append(text)
        case .boolean(let value): append(value ? "true" : "false")
        case .null: append("null")
        }
    }
}

extension ByteBuffer {
    /// Appends a JSON string (RFC 8259 section 7) with its quotes.
    ///
    /// Besides quotes and backslashes, it escapes all characters that control lines, terminals or text direction. The
    /// string thus stays on one line and cannot be displayed as something else. Invalid UTF-8 becomes U+FFFD.
    mutating func appendJSON(string bytes: Span<UInt8>) {
        guard bytes.isPlainJSON else { return appendJSON(escaping: bytes) }
        append(ASCII.quote)
        append(bytes)
        append(ASCII.quote)
    }

    /// Appends a JSON string with its quotes that may contain characters to escape.
    mutating func appendJSON(escaping bytes: Span<UInt8>) {
        append(ASCII.quote)
        for scalar in String(decoding: [UInt8](copying: bytes), as: UTF8.self).unicodeScalars {
            append(jsonScalar: scalar)
        }
        append(ASCII.quote)
    }

    private mutating func append(jsonScalar scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0..<0x80: append(jsonCharacter: UInt8(truncatingIfNeeded: scalar.value))
        case _ where scalar.isInvisibleControl:
            append(#"\u"#)
            append(hexadecimal: [UInt8(scalar.value >> 8), UInt8(scalar.value & 0xFF)].span)
        default: for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(byte) }
        }
    }

    private mutating func append(jsonCharacter byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            append(UInt8(ascii: "\\"))
            append(byte)
        case 0x0A: append(#"\n"#)
        case 0x0D: append(#"\r"#)
        case 0x09: append(#"\t"#)
        case 0..<0x20, 0x7F:
            append(#"\u00"#)
            append(hexadecimal: [byte].span)
        default: append(byte)
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a C1 control, a line or paragraph separator, or a directional formatting character (UAX #9
    /// section 2). All of them are below U+10000.
    package var isInvisibleControl: Bool {
        switch value {
        case 0x80..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
