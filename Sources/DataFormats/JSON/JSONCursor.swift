import Text

/// A position in a JSON text (RFC 8259) and the rules of the grammar that need no value: space, literals, numbers.
///
/// It holds nothing of the text, which is lent to each step, and is the same at all of them.
package struct JSONCursor {
    /// Bytes from the start of the text.
    package var offset = 0
    /// The strings that had escapes, decoded, one after the other.
    package var decoded: [UInt8] = []

    /// - Throws: `SyntaxError` for a text over the limit, invalid UTF-8, and a byte order mark (RFC 8259 section 8.1).
    package init(_ text: Span<UInt8>, limits: JSONLimits) throws(SyntaxError) {
        guard text.count <= limits.size else { throw SyntaxError(limits.size, "the text is too long") }
        guard !JSONScanning.isASCII(text) else { return }
        do {
            // Checked once for the whole text: every part of it between ASCII bytes is then valid, too.
            _ = try UTF8Span(validating: text)
        } catch {
            throw SyntaxError(error.byteOffsets.lowerBound, "invalid UTF-8")
        }
        if text.starts(with: "\u{FEFF}") { throw SyntaxError(0, "a byte order mark is not allowed") }
    }

    /// The byte at the position, 0 at the end; no token of JSON begins with 0.
    @inline(__always)
    package func current(_ text: Span<UInt8>) -> UInt8 { offset < text.count ? text[offset] : 0 }

    package func failure(_ reason: StaticString) -> SyntaxError { SyntaxError(offset, reason) }

    @inline(__always)
    package mutating func skipSpace(_ text: Span<UInt8>) {
        while offset < text.count, text[offset] <= 0x20 {
            switch text[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }

    /// Steps over one byte if it is the given one.
    @inline(__always)
    package mutating func take(_ byte: UInt8, _ text: Span<UInt8>) -> Bool {
        guard current(text) == byte else { return false }
        offset += 1
        return true
    }

    @inline(__always)
    package mutating func expect(_ byte: UInt8, _ text: Span<UInt8>, else reason: StaticString) throws(SyntaxError) {
        guard take(byte, text) else { throw failure(reason) }
    }

    /// Nothing but space may follow the value.
    package mutating func expectEnd(_ text: Span<UInt8>) throws(SyntaxError) {
        skipSpace(text)
        guard offset == text.count else { throw failure("the text goes on after its value") }
    }

    package mutating func literal(_ word: StaticString, _ text: Span<UInt8>) throws(SyntaxError) {
        guard text.extracting(offset...).starts(with: word) else { throw failure("a value is expected") }
        offset += word.utf8CodeUnitCount
    }

    /// A number as written (RFC 8259 section 6).
    package mutating func number(_ text: Span<UInt8>) throws(SyntaxError) -> FlatText {
        let start = offset
        _ = take(UInt8(ascii: "-"), text)
        if take(UInt8(ascii: "0"), text) {
            if isDigit(text) { throw failure("a number must not have leading zeros") }
        } else {
            try digits(text)
        }
        if take(UInt8(ascii: "."), text) { try digits(text) }
        if take(UInt8(ascii: "e"), text) || take(UInt8(ascii: "E"), text) {
            if !take(UInt8(ascii: "+"), text) { _ = take(UInt8(ascii: "-"), text) }
            try digits(text)
        }
        return FlatText(start..<offset, isDecoded: false)
    }

    private func isDigit(_ text: Span<UInt8>) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= current(text) }

    private mutating func digits(_ text: Span<UInt8>) throws(SyntaxError) {
        guard isDigit(text) else { throw failure("a digit is expected") }
        while isDigit(text) { offset += 1 }
    }
}
