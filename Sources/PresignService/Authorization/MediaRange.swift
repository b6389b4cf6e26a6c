/// A range of content types: `image/png`, `image/*` or `*/*` (RFC 9110 section 12.5.1, without parameters).
package struct MediaRange: Equatable, Sendable {
    /// Lower case; empty for `*`.
    private let type: [UInt8]
    /// Lower case; empty for `*`.
    private let subtype: [UInt8]

    /// Nil for what is no media range.
    package init?(_ text: String) {
        let lowered = text.utf8.map(\.loweredASCII)
        let parts = lowered.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
        guard parts.count == 2 else { return nil }
        let wildcard = [UInt8(ascii: "*")]
        type = parts[0] == wildcard ? [] : parts[0]
        subtype = parts[1] == wildcard ? [] : parts[1]
        guard parts.allSatisfy(\.isToken), subtype.isEmpty || !type.isEmpty else { return nil }
        guard !(type + subtype).contains(UInt8(ascii: "*")) else { return nil }
    }

    /// Whether a content type lies in the range. Case and parameters do not count; what is no content type lies in none.
    ///
    /// A comma makes it a list, of which browsers take the last type (WHATWG Fetch, "extract a MIME type"): an object
    /// stored as `image/png;,text/html` would be shown as a page.
    package func contains(_ contentType: String) -> Bool {
        guard !contentType.utf8.contains(UInt8(ascii: ",")) else { return false }
        let essence = Array(contentType.utf8.prefix { $0 != UInt8(ascii: ";") })
        let trimmed = essence.trimmingOptionalSpace
        guard let slash = trimmed.firstIndex(of: UInt8(ascii: "/")) else { return false }
        return Self.part(trimmed[..<slash], isIn: type) && Self.part(trimmed[(slash + 1)...], isIn: subtype)
    }

    private static func part(_ part: ArraySlice<UInt8>, isIn range: [UInt8]) -> Bool {
        part.isToken && (range.isEmpty || part.elementsEqual(range) { $0.loweredASCII == $1 })
    }
}

extension UInt8 {
    fileprivate var loweredASCII: UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self
    }
}

extension Array<UInt8> {
    fileprivate var trimmingOptionalSpace: ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let start = firstIndex { !isSpace($0) } ?? endIndex
        let end = lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start
        return self[start..<end]
    }
}

extension Collection<UInt8> {
    /// A token of RFC 9110 section 5.6.2.
    fileprivate var isToken: Bool {
        !isEmpty
            && allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
