import Text

/// The `UriEncode` function of Signature Version 4.
///
/// It replaces every byte other than `A-Z a-z 0-9 - . _ ~` with `%` and two upper-case hexadecimal digits. Foundation's
/// character sets differ. Source: IAM user guide, "Create a signed AWS API request".
package struct PercentEncoding: Sendable {
    /// The encoding of query names and values, which escapes `/`.
    package static var query: PercentEncoding {
        PercentEncoding(low: 0x03FF_6000_0000_0000, high: 0x47FF_FFFE_87FF_FFFE, firstOfDigits: 0x30)
    }
    /// The encoding of an object key in a path, which keeps `/`.
    package static var path: PercentEncoding {
        PercentEncoding(low: 0x03FF_E000_0000_0000, high: 0x47FF_FFFE_87FF_FFFE, firstOfDigits: 0x2D)
    }

    /// A bit mask of the unescaped bytes 0...63.
    private let low: UInt64
    /// A bit mask of the unescaped bytes 64...127.
    private let high: UInt64
    /// The first byte of the unescaped range that ends with `9`: `-` if `/` is kept, so that `-./` are in it, else `0`.
    private let firstOfDigits: UInt8

    private func isUnescaped(_ byte: UInt8) -> Bool {
        byte < 128 && (byte < 64 ? low : high) &>> UInt64(byte) & 1 == 1
    }

    /// Returns how many leading bytes of a word are letters or in the range of digits. Most of a key consists of these.
    private func countUnescaped(_ word: UInt64) -> Int {
        let ascii = word & Self.repeating(0x7F)
        let letters = Self.inRange(ascii | Self.repeating(0x20), 0x61, 0x7A)
        let unescaped = (letters | Self.inRange(ascii, firstOfDigits, 0x39)) & ~word
        return (~unescaped & Self.repeating(0x80)).trailingZeroBitCount / 8
    }

    /// Sets the highest bit of each byte of the result whose byte in `ascii` is in the range; ignore the other bits.
    ///
    /// - Parameter ascii: eight bytes below 128.
    private static func inRange(_ ascii: UInt64, _ first: UInt8, _ last: UInt8) -> UInt64 {
        (ascii &+ repeating(0x80 &- first)) & ~(ascii &+ repeating(0x7F &- last))
    }

    /// Returns a word that repeats a byte eight times.
    private static func repeating(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

    /// The number of bytes that an escaped byte becomes.
    static let growth = 3

    /// Appends the encoding of the bytes.
    ///
    /// - Precondition: `output` has room for `growth` times the number of bytes.
    package func append(_ bytes: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        var index = 0
        while bytes.count &- index >= 8 {
            let word = bytes.word(at: index)
            let unescaped = countUnescaped(word)
            output.append(first: unescaped, of: word)
            index &+= unescaped
            if unescaped < 8 {
                append(bytes[index], to: &output)
                index += 1
            }
        }
        for index in index..<bytes.count { append(bytes[index], to: &output) }
    }

    private func append(_ byte: UInt8, to output: inout OutputSpan<UInt8>) {
        guard !isUnescaped(byte) else { return output.append(byte) }
        output.append(0x25)
        output.append(Self.digit(byte >> 4))
        output.append(Self.digit(byte & 15))
    }

    /// Appends the encoding of the bytes.
    package func append(_ bytes: [UInt8], to output: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        output.append(addingCapacity: Self.growth * bytes.count) { append(bytes.span, to: &$0) }
    }

    /// Returns the encoding of the bytes.
    package func encode(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        append(bytes, to: &output)
        return output
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x41 + value - 10
    }
}
