/// A position in a JSON text (RFC 8259) and the rules of the grammar that need no value: space, literals, numbers.
struct JSONCursor: FlatTextSource {
    let bytes: ArraySlice<UInt8>
    var index: Int
    /// The strings that had escapes, decoded, one after the other.
    var decoded: [UInt8] = []

    /// - Throws: `SyntaxError` for a text over the limit, invalid UTF-8, and a byte order mark (RFC 8259 section 8.1).
    init(_ bytes: ArraySlice<UInt8>, limits: JSONLimits) throws(SyntaxError) {
        guard bytes.count <= limits.size else { throw SyntaxError(limits.size, "the text is too long") }
        do {
            // Checked once for the whole text: every slice of it between ASCII bytes is then valid, too.
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            throw SyntaxError(error.byteOffsets.lowerBound, "invalid UTF-8")
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw SyntaxError(0, "a byte order mark is not allowed") }
        self.bytes = bytes
        index = bytes.startIndex
    }

    /// Bytes from the start of the text.
    var offset: Int { index - bytes.startIndex }

    var isAtEnd: Bool { index == bytes.endIndex }

    /// The byte at the position, 0 at the end; no token of JSON begins with 0.
    var current: UInt8 { index < bytes.endIndex ? bytes[index] : 0 }

    /// Lends the bytes of a string or a number.
    @inline(__always)
    func read<Result>(_ text: FlatText, _ body: (Span<UInt8>) -> Result) -> Result {
        text.isDecoded ? body(decoded.span.extracting(text.range)) : body(bytes.span.extracting(text.range))
    }

    /// The bytes of a string or a number, copied.
    func copy(_ text: FlatText) -> [UInt8] {
        Array(text.isDecoded ? decoded[text.range] : bytes.dropFirst(text.range.lowerBound).prefix(text.range.count))
    }

    func failure(_ reason: StaticString) -> SyntaxError { SyntaxError(offset, reason) }

    mutating func skipSpace() {
        while index < bytes.endIndex {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    /// Steps over one byte if it is the given one.
    mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        index += 1
        return true
    }

    mutating func expect(_ byte: UInt8, else reason: StaticString) throws(SyntaxError) {
        guard take(byte) else { throw failure(reason) }
    }

    /// Nothing but space may follow the value.
    mutating func expectEnd() throws(SyntaxError) {
        skipSpace()
        guard isAtEnd else { throw failure("the text goes on after its value") }
    }

    mutating func literal(_ text: StaticString) throws(SyntaxError) {
        let word = text.description.utf8
        guard bytes[index...].starts(with: word) else { throw failure("a value is expected") }
        index += word.count
    }

    /// A number as written (RFC 8259 section 6).
    mutating func number() throws(SyntaxError) -> FlatText {
        let start = offset
        _ = take(UInt8(ascii: "-"))
        if take(UInt8(ascii: "0")) {
            if isDigit { throw failure("a number must not have leading zeros") }
        } else {
            try digits()
        }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        return FlatText(range: start..<offset, isDecoded: false)
    }

    private var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= current }

    private mutating func digits() throws(SyntaxError) {
        guard isDigit else { throw failure("a digit is expected") }
        while isDigit { index += 1 }
    }
}
