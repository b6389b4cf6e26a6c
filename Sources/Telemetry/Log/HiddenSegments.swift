import Text

extension ArraySlice<UInt8> {
    /// The length of a segment that is too short for a credential, in bytes. The shortest API key has 49 bytes, the
    /// shortest token of a share link about 60.
    private static var shownLength: Int { 20 }

    /// The path with `*` in place of each segment that is long enough for a credential, in whatever encoding.
    package var withoutLongSegments: [UInt8] {
        let segments = split(separator: ASCII.slash, omittingEmptySubsequences: false)
        return Array(
            segments.map { $0.count > Self.shownLength ? [ASCII.asterisk] : $0 }.joined(separator: [ASCII.slash]))
    }

    /// Whether a segment after the first slash is empty, `.` or `..`, also percent-encoded.
    package var hasRelativeSegment: Bool {
        split(separator: ASCII.slash, omittingEmptySubsequences: false).dropFirst().contains(where: \.isRelative)
    }

    private var isRelative: Bool {
        var rest = self
        while let byte = rest.popFirst() {
            if byte == ASCII.dot { continue }
            guard byte == ASCII.percent, ASCII.lowercased(rest.prefix(2)).elementsEqual("2e".utf8) else { return false }
            rest = rest.dropFirst(2)
        }
        return true
    }
}
