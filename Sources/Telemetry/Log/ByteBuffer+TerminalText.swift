package import Text

extension ByteBuffer {
    /// Appends the time of day, such as `12:03:04Z`, of an RFC 3339 time.
    package mutating func append(timeOfDay time: Span<UInt8>) {
        append(time.extracting("2026-01-01T".utf8.count..<time.count))
    }

    /// Appends text that cannot control a terminal: bytes other than printable ASCII become `%xx`.
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
