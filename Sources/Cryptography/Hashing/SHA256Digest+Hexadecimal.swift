import Text

extension OutputSpan<UInt8> {
    /// Appends the lower-case digits of a digest.
    package mutating func append(hexadecimal digest: SHA256Digest) {
        let bytes = digest.storage.span
        // Of words, as a processor waits for a vector whose halves it has just written.
        append(hexadecimal: SIMD16(low: bytes.word(at: 0), high: bytes.word(at: 8)))
        append(hexadecimal: SIMD16(low: bytes.word(at: 16), high: bytes.word(at: 24)))
    }
}
