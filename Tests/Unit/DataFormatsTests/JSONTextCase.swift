import TestSupport
import Testing

@testable import DataFormats
@testable import Text

/// One case of `json.json`: a name, the text, and the expected outcome. The prefix of the name says what RFC 8259
/// requires: `y_` must be accepted, `n_` must be rejected, `i_` is left to the parser, and a third item says `accepted`
/// or `refused`. A text that is not valid UTF-8 is written as `{"hex": ...}`. This reader rejects what two parsers
/// could read differently: duplicate names, lone surrogates, a byte order mark, and nesting beyond `JSONLimits.depth`.
/// It accepts numbers of any size, because it keeps them as written.
struct JSONTextCase: CustomTestStringConvertible, Sendable {
    let name: String
    let text: [UInt8]
    /// Whether the reader must accept the text.
    let isGood: Bool

    var testDescription: String { name }
    /// Whether duplicate names are the only defect.
    var repeatsName: Bool { name.hasPrefix("i_object_duplicate") }

    static let all: [JSONTextCase] = {
        let limits = JSONLimits(size: 1 << 20)
        guard let bytes = try? Repository.bytes(of: "Tests/Cases/json.json"),
            case .array(let items)? = try? JSONValue(parsing: bytes, limits: limits)
        else { return [] }
        return items.compactMap(JSONTextCase.init)
    }()

    private init?(_ item: JSONValue) {
        guard case .array(let parts) = item, let name = parts.first?.string,
            let text = parts[1].string ?? parts[1]["hex"]?.string.flatMap(Self.decoded)
        else { return nil }
        let verdict = parts.count == 3 ? parts[2].string.map { String(decoding: $0, as: UTF8.self) } : nil
        switch (name.first, verdict) {
        case (UInt8(ascii: "y"), nil), (UInt8(ascii: "i"), "accepted"): isGood = true
        case (UInt8(ascii: "n"), nil), (UInt8(ascii: "i"), "refused"): isGood = false
        default: return nil
        }
        self.name = String(decoding: name, as: UTF8.self)
        self.text = text
    }

    private static func decoded(_ hexadecimal: [UInt8]) -> [UInt8]? {
        let digits = hexadecimal.compactMap(\.hexadecimalValue)
        guard digits.count == hexadecimal.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}

extension JSONReader {
    /// Skips a whole text and returns its length in bytes.
    static func skipped(_ text: [UInt8]) throws(SyntaxError) -> Int {
        var reader = try JSONReader(text[...])
        try reader.skipValue()
        try reader.end()
        return reader.position
    }
}
