import Text

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

    /// The number of bytes that an escaped byte becomes.
    static let growth = 3

    /// Appends the encoding of the bytes.
    ///
    /// - Precondition: `output` has room for `growth` times the number of bytes.
    package func append(_ bytes: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        var start = 0
        while start < bytes.count {
            let end = bytes.positionOfReserved(from: start, keepsSlash: keepsSlash)
            output.append(bytes.extracting(start..<end))
            if end < bytes.count { Self.append(escaped: bytes[end], to: &output) }
            start = end + 1
        }
    }

    private static func append(escaped byte: UInt8, to output: inout OutputSpan<UInt8>) {
        output.append(0x25)
        output.append(digit(byte >> 4))
        output.append(digit(byte & 15))
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
