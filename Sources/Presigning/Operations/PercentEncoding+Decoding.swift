import Text

extension PercentEncoding {
    /// The bytes an encoded text stands for; a `+` stays a plus. `nil` for a `%` without two digits.
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
