import Text

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
