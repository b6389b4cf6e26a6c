import Text

extension OutputSpan<UInt8> {
    /// Appends a digest as 64 lowercase hexadecimal digits.
    package mutating func append(hexadecimal digest: SHA256Digest) {
        append(hexadecimal: digest.storage.span)
    }
}
