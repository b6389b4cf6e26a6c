/// SigV4's `UriEncode`: every byte but `A-Z a-z 0-9 - . _ ~` becomes `%` and two upper-case digits, exactly once.
///
/// Source: "Create a signed AWS API request", IAM user guide. Foundation's character sets differ from it.
struct PercentEncoding: Sendable {
    /// For names and values in a query, `/` escaped too.
    static let query = PercentEncoding(keepsSlash: false)
    /// For an object key in a path, where `/` stays.
    static let path = PercentEncoding(keepsSlash: true)

    private let isKept: InlineArray<256, Bool>

    private init(keepsSlash: Bool) {
        isKept = InlineArray { index in
            switch UInt8(index) {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: true
            case 0x2f: keepsSlash
            default: false
            }
        }
    }

    /// Appends the encoding of some bytes.
    func append(_ bytes: [UInt8], to output: inout [UInt8]) {
        for byte in bytes {
            if isKept[Int(byte)] {
                output.append(byte)
            } else {
                output.append(0x25)
                output.append(Self.digit(byte >> 4))
                output.append(Self.digit(byte & 15))
            }
        }
    }

    /// The encoding of some bytes.
    func encode(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        append(bytes, to: &output)
        return output
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x41 + value - 10
    }
}
