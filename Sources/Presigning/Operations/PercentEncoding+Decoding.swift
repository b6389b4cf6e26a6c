import Text

extension PercentEncoding {
    /// Returns the decoded bytes, or `nil` if a `%` is not followed by two hexadecimal digits.
    ///
    /// A `+` is not decoded to a space: SigV4 encodes spaces as `%20`.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                output.append(byte)
                continue
            }
            guard let high = rest.popFirst(), let low = rest.popFirst(), let byte = UInt8(hexadecimal: high, low)
            else { return nil }
            output.append(byte)
        }
        return output
    }
}
