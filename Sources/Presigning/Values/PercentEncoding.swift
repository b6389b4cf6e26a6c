package import Text

/// The `UriEncode` function of Signature Version 4.
///
/// It replaces every byte other than `A-Z a-z 0-9 - . _ ~` with `%` and two upper-case hexadecimal digits. Foundation's
/// character sets differ. Source: IAM user guide, "Create a signed AWS API request".
package struct PercentEncoding: Sendable {
    /// The encoding of query names and values, which escapes `/`.
    package static var query: PercentEncoding { PercentEncoding(keepsSlash: false) }
    /// The encoding of an object key in a path, which keeps `/`.
    package static var path: PercentEncoding { PercentEncoding(keepsSlash: true) }

    private let keepsSlash: Bool

    /// Appends the encoding of the bytes.
    package func append(_ bytes: Span<UInt8>, to output: inout ByteBuffer) {
        var start = 0
        while start < bytes.count {
            let end = bytes.positionOfReserved(from: start, keepsSlash: keepsSlash)
            output.append(bytes.extracting(start..<end))
            if end < bytes.count {
                output.append(ASCII.percent)
                output.append(Self.digit(bytes[end] >> 4))
                output.append(Self.digit(bytes[end] & 15))
            }
            start = end + 1
        }
    }

    /// Returns the encoding of the bytes.
    package func encode(_ bytes: [UInt8]) -> [UInt8] {
        var output = ByteBuffer(capacity: bytes.count)
        append(bytes.span, to: &output)
        return output.bytes
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x41 + value - 10
    }
}

extension PercentEncoding {
    /// Returns the decoded bytes, or `nil` if a `%` is not followed by two hexadecimal digits.
    ///
    /// A `+` is not decoded to a space: SigV4 encodes spaces as `%20`.
    package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            if text[index] == UInt8(ascii: "%") {
                guard let byte = text.percentEscape(at: index) else { return nil }
                output.append(byte)
                index += 3
            } else {
                output.append(text[index])
                index += 1
            }
        }
        return output
    }
}
