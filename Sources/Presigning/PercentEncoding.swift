import Bytes

/// SigV4's `UriEncode`: every byte but `A-Z a-z 0-9 - . _ ~` becomes `%` and two upper-case digits, exactly once.
///
/// Source: "Create a signed AWS API request", IAM user guide. Foundation's character sets differ from it.
package struct PercentEncoding: Sendable {
    /// For names and values in a query, `/` escaped too.
    package static let query = PercentEncoding(low: 0x03FF_6000_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
    /// For an object key in a path, where `/` stays.
    static let path = PercentEncoding(low: 0x03FF_E000_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)

    /// One bit for each byte that stays, of 0...63 and of 64...127: letters, digits and `-._~`.
    private let low: UInt64
    private let high: UInt64

    @inline(__always)
    private func keeps(_ byte: UInt8) -> Bool {
        byte < 128 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
    }

    /// The most bytes that one byte becomes.
    static let growth = 3

    /// Appends the encoding of some bytes; what stays is copied in runs.
    func append(_ bytes: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        var start = 0
        for index in bytes.indices where !keeps(bytes[index]) {
            output.append(bytes.extracting(start..<index))
            output.append(0x25)
            output.append(Self.digit(bytes[index] >> 4))
            output.append(Self.digit(bytes[index] & 15))
            start = index + 1
        }
        output.append(bytes.extracting(start...))
    }

    /// The encoding of some bytes.
    package func encode(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        guard !bytes.isEmpty else { return output }
        output.append(addingCapacity: Self.growth * bytes.count) { append(bytes.span, to: &$0) }
        return output
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x41 + value - 10
    }
}
