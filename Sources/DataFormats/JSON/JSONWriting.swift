package import Text

extension ByteBuffer {
    /// Appends a JSON string, see `appendJSON(string:)` for a span.
    package mutating func appendJSON(string bytes: [UInt8]) {
        appendJSON(string: bytes.span)
    }

    /// Appends a JSON string, see `appendJSON(string:)` for a span.
    package mutating func appendJSON(string text: String) {
        appendJSON(string: text.utf8.span)
    }

    /// Appends `,"name":"value"`. The name must not need escaping.
    package mutating func appendMember(_ name: StaticString, _ value: Span<UInt8>) {
        appendName(name)
        appendJSON(string: value)
    }

    /// Appends `,"name":"value"`. The name must not need escaping.
    package mutating func appendMember(_ name: StaticString, _ value: String) {
        appendMember(name, value.utf8.span)
    }

    /// Appends `,"name":number`. The name must not need escaping.
    package mutating func appendMember(_ name: StaticString, _ number: Int) {
        appendName(name)
        append(decimal: number)
    }

    /// Appends `,"name":`. The name must not need escaping.
    package mutating func appendName(_ name: StaticString) {
        append(#",""#)
        append(name)
        append(#"":"#)
    }

    /// Appends an integer.
    package mutating func appendJSON(_ integer: Int64) {
        append(decimal: Int(integer))
    }

    /// Appends `true` or `false`.
    package mutating func appendJSON(_ boolean: Bool) {
        append(boolean ? "true" : "false")
    }

    /// Appends a value. Numbers keep their original text.
    package mutating func appendJSON(_ value: JSONValue) {
        switch value {
        case .object(let members):
            append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                appendJSON(string: member.name)
                append(UInt8(ascii: ":"))
                appendJSON(member.value)
            }
            append(UInt8(ascii: "}"))
        case .array(let items):
            append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                appendJSON(item)
            }
            append(UInt8(ascii: "]"))
        case .string(let bytes): appendJSON(string: bytes)
        case .number(let text): append(text)
        case .boolean(let value): appendJSON(value)
        case .null: append("null")
        }
    }
}
