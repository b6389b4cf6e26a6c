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
        output.appendJSON(boolean)
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
