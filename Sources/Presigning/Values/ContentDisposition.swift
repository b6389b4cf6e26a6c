import Text

/// A `Content-Disposition` whose file name can have any characters (RFC 6266).
struct ContentDisposition {
    /// The maximum length in bytes of a value that an error message spells.
    private static let longest = 512
    private static let extended = "filename*=UTF-8''"

    /// The type and the parameters, in their order and without blanks around them.
    private let parts: [[UInt8]]

    /// Splits a value at the semicolons outside of quotes; nil if a quote has no end.
    init?(_ text: [UInt8]) {
        var (parts, isQuoted, isEscaped) = ([[UInt8]()], false, false)
        for byte in text {
            if byte == ASCII.semicolon, !isQuoted {
                parts.append([])
                continue
            }
            if byte == ASCII.quote, !isEscaped { isQuoted.toggle() }
            isEscaped = byte == ASCII.backslash && isQuoted && !isEscaped
            parts[parts.count - 1].append(byte)
        }
        guard !isQuoted else { return nil }
        self.parts = parts.map { Array($0[...].trimming(ASCII.isBlank)) }
    }

    /// The same value with its file name in the extended notation (RFC 8187 section 3.2); nil if that does not make it
    /// printable ASCII, or if it is too long for a message.
    var inASCII: String? {
        let keepsExtended = parts.contains { $0.span.startsIgnoringCase(with: "filename*") }
        let fixed = parts.compactMap { part -> [UInt8]? in
            guard !part.allSatisfy(ASCII.isPrintable), let name = Self.fileName(in: part) else { return part }
            // A client that reads the extended name ignores the other one.
            if keepsExtended, !name.isExtended { return nil }
            return Array(Self.extended.utf8) + name.escaped
        }
        let text = Array(fixed.joined(separator: "; ".utf8))
        return text.count <= Self.longest && text.allSatisfy(ASCII.isPrintable)
            ? String(decoding: text, as: UTF8.self) : nil
    }

    /// The percent-encoded name of a parameter `filename` or `filename*`; nil for others, and for a name with control
    /// characters or in another charset than UTF-8.
    private static func fileName(in part: [UInt8]) -> (escaped: [UInt8], isExtended: Bool)? {
        guard let equals = part.firstIndex(of: ASCII.equals), !part.contains(where: ASCII.isControl) else { return nil }
        let name = ASCII.lowercased(part[..<equals].trimming(ASCII.isBlank))
        let value = Array(part[(equals + 1)...].trimming(ASCII.isBlank))
        if name.elementsEqual("filename".utf8) { return (PercentEncoding.query.encode(unquoted(value)), false) }
        guard name.elementsEqual("filename*".utf8) else { return nil }
        let fields = value.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 1 || (fields.count == 3 && Array(fields[0]).span.equalsIgnoringCase("utf-8")) else {
            return nil
        }
        // Keep existing escapes.
        return ((fields.last ?? []).flatMap { $0 == ASCII.percent ? [$0] : PercentEncoding.query.encode([$0]) }, true)
    }

    private static func unquoted(_ value: [UInt8]) -> [UInt8] {
        guard value.first == ASCII.quote, value.count > 1 else { return value }
        var (text, isEscaped) = ([UInt8](), false)
        for byte in value.dropFirst().dropLast() {
            isEscaped = byte == ASCII.backslash && !isEscaped
            if !isEscaped { text.append(byte) }
        }
        return text
    }
}
