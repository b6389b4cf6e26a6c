/// The value of `If-Match` or `If-None-Match` (RFC 9110, section 8.8.3): any tag, or some.
struct EntityTagList: Sendable {
    private struct Tag {
        var bytes: ArraySlice<UInt8>
        var isWeak: Bool
    }

    private let isAny: Bool
    private let tags: [Tag]

    /// Reads a list; tags without quotes are taken as well, as S3 does.
    init(_ text: [UInt8]) {
        let text = text.trimmed
        isAny = text.elementsEqual("*".utf8)
        // Our own tags hold no comma, so one inside a foreign tag's quotes only splits what cannot match anyway.
        tags = text.split(separator: UInt8(ascii: ",")).map { item in
            let item = item.trimmed
            let isWeak = item.starts(with: "W/".utf8)
            return Tag(bytes: Self.unquoted(isWeak ? item.dropFirst(2) : item), isWeak: isWeak)
        }
    }

    /// Whether a tag (unquoted) is among them, by the strong comparison: a weak one never matches.
    func matchesStrongly(_ tag: [UInt8]) -> Bool {
        isAny || tags.contains { !$0.isWeak && $0.bytes.elementsEqual(tag) }
    }

    /// Whether a tag (unquoted) is among them, by the weak comparison.
    func matchesWeakly(_ tag: [UInt8]) -> Bool {
        isAny || tags.contains { $0.bytes.elementsEqual(tag) }
    }

    /// A tag without the quotes around it.
    static func unquoted(_ tag: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let quote = UInt8(ascii: "\"")
        return tag.count >= 2 && tag.first == quote && tag.last == quote ? tag.dropFirst().dropLast() : tag
    }
}
