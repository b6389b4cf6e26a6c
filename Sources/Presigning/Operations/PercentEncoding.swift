import Text

/// SigV4's `UriEncode`: every byte but `A-Z a-z 0-9 - . _ ~` becomes `%` and two upper-case digits, exactly once.
///
/// Source: "Create a signed AWS API request", IAM user guide. Foundation's character sets differ from it.
package struct PercentEncoding: Sendable {
    /// For names and values in a query, `/` escaped too.
    package static var query: PercentEncoding {
        PercentEncoding(low: 0x03FF_6000_0000_0000, high: 0x47FF_FFFE_87FF_FFFE, firstOfDigits: 0x30)
    }
    /// For an object key in a path, where `/` stays.
    package static var path: PercentEncoding {
        PercentEncoding(low: 0x03FF_E000_0000_0000, high: 0x47FF_FFFE_87FF_FFFE, firstOfDigits: 0x2D)
    }

    /// One bit for each byte that stays, of 0...63 and of 64...127: letters, digits and `-._~`.
    private let low: UInt64
    private let high: UInt64
    /// Where the bytes begin that stay up to the last digit: with `-./` they are one range.
    private let firstOfDigits: UInt8

    private func keeps(_ byte: UInt8) -> Bool {
        byte < 128 && (byte < 64 ? low : high) &>> UInt64(byte) & 1 == 1
    }

    /// How many of eight bytes, from the first on, are letters or of the range of digits, as most of a key is: they stay.
    private func countKept(_ word: UInt64) -> Int {
        let ascii = word & Self.each(0x7F)
        let letters = Self.lies(ascii | Self.each(0x20), 0x61, 0x7A)
        let kept = (letters | Self.lies(ascii, firstOfDigits, 0x39)) & ~word
        return (~kept & Self.each(0x80)).trailingZeroBitCount / 8
    }

    /// Which of eight bytes below 128 lie in a range: the highest bit of each of these is set, the others mean nothing.
    private static func lies(_ ascii: UInt64, _ first: UInt8, _ last: UInt8) -> UInt64 {
        (ascii &+ each(0x80 &- first)) & ~(ascii &+ each(0x7F &- last))
    }

    /// A word of eight times the same byte.
    private static func each(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

    /// The most bytes that one byte becomes.
    static let growth = 3

    /// Appends the encoding of some bytes, for which there is room however many are escaped.
    package func append(_ bytes: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        var index = 0
        while bytes.count &- index >= 8 {
            let word = bytes.word(at: index)
            let kept = countKept(word)
            output.append(first: kept, of: word)
            index &+= kept
            if kept < 8 {
                append(bytes[index], to: &output)
                index += 1
            }
        }
        for index in index..<bytes.count { append(bytes[index], to: &output) }
    }

    private func append(_ byte: UInt8, to output: inout OutputSpan<UInt8>) {
        guard !keeps(byte) else { return output.append(byte) }
        output.append(0x25)
        output.append(Self.digit(byte >> 4))
        output.append(Self.digit(byte & 15))
    }

    /// Appends the encoding of some bytes.
    package func append(_ bytes: [UInt8], to output: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        output.append(addingCapacity: Self.growth * bytes.count) { append(bytes.span, to: &$0) }
    }

    /// Returns the encoding of some bytes.
    package func encode(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        append(bytes, to: &output)
        return output
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x41 + value - 10
    }
}
