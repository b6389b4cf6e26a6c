import Text

extension [UInt8] {
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
        guard value.isPlainJSON else {
            appendName(name)
            return appendJSON(escaping: value)
        }
        append(addingCapacity: name.utf8CodeUnitCount + value.count + 6) { output in
            output.append(memberName: name)
            output.append(ASCII.quote)
            output.append(value)
            output.append(ASCII.quote)
        }
    }

    /// Appends `,"name":"value"`. The name must not need escaping.
    package mutating func appendMember(_ name: StaticString, _ value: String) {
        appendMember(name, value.utf8.span)
    }

    /// Appends `,"name":number`. The name must not need escaping.
    package mutating func appendMember(_ name: StaticString, _ number: Int) {
        append(addingCapacity: name.utf8CodeUnitCount + 4 + OutputSpan<UInt8>.longestDecimal) { output in
            output.append(memberName: name)
            output.append(decimal: number)
        }
    }

    /// Appends `,"name":`. The name must not need escaping.
    package mutating func appendName(_ name: StaticString) {
        append(addingCapacity: name.utf8CodeUnitCount + 4) { $0.append(memberName: name) }
    }

    /// Appends an integer.
    package mutating func appendJSON(_ integer: Int64) {
        append(decimal: Int(integer))
    }

    /// Appends `true` or `false`.
    package mutating func appendJSON(_ boolean: Bool) {
        append(contentsOf: (boolean ? "true" : "false").utf8)
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
        case .number(let text): append(contentsOf: text)
        case .boolean(let value): appendJSON(value)
        case .null: append(contentsOf: "null".utf8)
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends `,"name":`: the name and four bytes.
    @inline(__always)
    fileprivate mutating func append(memberName name: StaticString) {
        append(#",""#)
        append(name)
        append(#"":"#)
    }
}
