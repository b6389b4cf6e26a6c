/// The value of `If-Match` or `If-None-Match` (RFC 9110, section 13.1): `*` or a list of entity tags.
struct EntityTagList: Sendable {
    private struct Tag {
        var bytes: ArraySlice<UInt8>
        var isWeak: Bool
    }

    private let isAny: Bool
    private let tags: [Tag]

    /// Parses a list. Like S3, it also accepts tags without quotes.
    init(_ text: [UInt8]) {
        var rest = text.trimmed
        isAny = rest.elementsEqual("*".utf8)
        var tags: [Tag] = []
        while !rest.isEmpty {
            let element = Self.firstElement(of: rest)
            rest = rest[element.endIndex...].dropFirst()
            let item = element.trimmed
            let isWeak = item.starts(with: "W/".utf8)
            tags.append(Tag(bytes: Self.unquoted(isWeak ? item.dropFirst(2) : item), isWeak: isWeak))
        }
        self.tags = tags
    }

    /// Returns the bytes before the first comma outside quotes. An entity tag has no escapes (RFC 9110, section 8.8.3).
    private static func firstElement(of list: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var isQuoted = false
        return list.prefix { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return isQuoted || byte != UInt8(ascii: ",")
        }
    }

    /// Whether the list contains a tag by strong comparison, in which weak tags never match.
    ///
    /// - Parameter tag: without quotes.
    func matchesStrongly(_ tag: [UInt8]) -> Bool {
        isAny || tags.contains { !$0.isWeak && $0.bytes.elementsEqual(tag) }
    }

    /// Whether the list contains a tag by weak comparison.
    ///
    /// - Parameter tag: without quotes.
    func matchesWeakly(_ tag: [UInt8]) -> Bool {
        isAny || tags.contains { $0.bytes.elementsEqual(tag) }
    }

    /// Returns a tag without surrounding quotes.
    static func unquoted(_ tag: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let quote = UInt8(ascii: "\"")
        return tag.count >= 2 && tag.first == quote && tag.last == quote ? tag.dropFirst().dropLast() : tag
    }
}
