extension ArraySlice<UInt8> {
    /// Returns the byte of the escape, such as `%2F`, that begins at the index (RFC 3986, section 2.1); nil for any other
    /// text.
    package func percentEscape(at index: Int) -> UInt8? {
        guard endIndex - index > 2, self[index] == UInt8(ascii: "%") else { return nil }
        return UInt8(hexadecimal: self[index + 1], self[index + 2])
    }
}
