import Text

extension [UInt8] {
    /// Appends `12:03:04Z` of a time in the form of RFC 3339.
    package mutating func append(timeOfDay time: Span<UInt8>) {
        append(time.extracting("2026-01-01T".utf8.count..<time.count))
    }

    /// Appends text whose control characters cannot move a terminal's cursor: bytes beyond visible ASCII and the space
    /// become `%xx`.
    package mutating func append(visible text: ArraySlice<UInt8>) {
        for byte in text {
            if ASCII.isPrintable(byte) {
                append(byte)
            } else {
                append("%")
                append(hexadecimal: [byte].span)
            }
        }
    }
}
