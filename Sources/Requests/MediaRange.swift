import Text

/// A range of media types: `image/png`, `image/*` or `*/*` (RFC 9110 section 12.5.1, without parameters).
package struct MediaRange: Equatable, Sendable {
    /// Lower case; empty for `*`.
    private let type: [UInt8]
    /// Lower case; empty for `*`.
    private let subtype: [UInt8]

    /// Reads a media range; nil if `text` is not one.
    package init?(_ text: String) {
        let lowered = ASCII.lowercased(text.utf8)
        let parts = lowered.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
        guard parts.count == 2 else { return nil }
        type = parts[0] == Self.wildcard ? [] : parts[0]
        subtype = parts[1] == Self.wildcard ? [] : parts[1]
        guard parts.allSatisfy(isToken), subtype.isEmpty || !type.isEmpty else { return nil }
        guard !(type + subtype).contains(UInt8(ascii: "*")) else { return nil }
    }

    /// Whether the range contains a content type, ignoring case and parameters. False for a malformed content type
    /// (RFC 9110 section 8.3.1) and for a media range such as `image/*`.
    ///
    /// A value with a comma is never contained. Browsers read it as a list and use the last type (WHATWG Fetch,
    /// "extract a MIME type"), so they would show an object stored as `image/png;,text/html` as a page.
    package func contains(_ contentType: String) -> Bool {
        guard !contentType.utf8.contains(UInt8(ascii: ",")) else { return false }
        let bytes = Array(contentType.utf8)
        let end = bytes.firstIndex(of: UInt8(ascii: ";")) ?? bytes.endIndex
        guard MediaTypeParameters.areWellFormed(bytes[end...]) else { return false }
        let essence = bytes[..<end].trimming(ASCII.isBlank)
        guard let slash = essence.firstIndex(of: UInt8(ascii: "/")) else { return false }
        return Self.part(essence[..<slash], isIn: type) && Self.part(essence[(slash + 1)...], isIn: subtype)
    }

    /// Whether it contains more than one type.
    package var isRange: Bool { subtype.isEmpty }

    /// Whether this range contains every content type of another range.
    package func contains(_ other: MediaRange) -> Bool {
        (type.isEmpty || type == other.type) && (subtype.isEmpty || subtype == other.subtype)
    }

    private static let wildcard = [UInt8(ascii: "*")]

    private static func part(_ part: ArraySlice<UInt8>, isIn range: [UInt8]) -> Bool {
        isToken(part) && !part.elementsEqual(wildcard)
            && (range.isEmpty || part.elementsEqual(range) { ASCII.lowercased($0) == $1 })
    }
}

extension MediaRange: CustomStringConvertible {
    /// The range as configured, in lower case.
    package var description: String {
        [type, subtype].map { $0.isEmpty ? "*" : String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
    }
}

/// The parameters of a media type: `*( OWS ";" OWS [ parameter ] )` (RFC 9110 section 5.6.6).
private enum MediaTypeParameters {
    /// Whether the parameters follow the grammar.
    ///
    /// - Parameter text: the media type from its first semicolon on; may be empty.
    static func areWellFormed(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        while let first = rest.first {
            guard first == UInt8(ascii: ";") else { return false }
            rest = rest.dropFirst().drop(while: ASCII.isBlank)
            guard let next = rest.first else { return true }
            if next == UInt8(ascii: ";") { continue }
            let name = rest.prefix(while: ASCII.isToken)
            rest = rest.dropFirst(name.count)
            guard !name.isEmpty, rest.first == UInt8(ascii: "=") else { return false }
            guard let end = endOfValue(rest.dropFirst()) else { return false }
            rest = rest[end...].drop(while: ASCII.isBlank)
        }
        return true
    }

    /// The end of the token or quoted string at the start of `text`; nil if neither is there.
    private static func endOfValue(_ text: ArraySlice<UInt8>) -> Int? {
        guard text.first == UInt8(ascii: "\"") else {
            let token = text.prefix(while: ASCII.isToken)
            return token.isEmpty ? nil : token.endIndex
        }
        var index = text.startIndex + 1
        while index < text.endIndex {
            let byte = text[index]
            if byte == UInt8(ascii: "\"") { return index + 1 }
            if byte == UInt8(ascii: "\\") { index += 1 }
            guard index < text.endIndex, ASCII.isFieldContent(text[index]) else { return nil }
            index += 1
        }
        return nil
    }
}

/// Whether `bytes` are a token (RFC 9110 section 5.6.2).
private func isToken(_ bytes: some Collection<UInt8>) -> Bool { !bytes.isEmpty && bytes.allSatisfy(ASCII.isToken) }
