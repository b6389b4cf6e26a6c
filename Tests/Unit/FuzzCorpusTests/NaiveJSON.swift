@testable import CallerAuthentication
@testable import DataFormats

/// A second implementation of RFC 8259 that follows the grammar literally: on Unicode scalars, sharing no code with the
/// reader.
struct NaiveJSON {
    struct Refusal: Error {}

    private var rest: Substring.UnicodeScalarView
    private let allowsRepeatedNames: Bool

    /// The value of a text; nil if the text is invalid.
    static func value(of text: [UInt8], depth: Int = 8, allowsRepeatedNames: Bool = false) -> JSONValue? {
        guard let decoded = String(validating: text, as: UTF8.self), decoded.unicodeScalars.first != "\u{FEFF}" else {
            return nil
        }
        var reader = NaiveJSON(rest: decoded[...].unicodeScalars, allowsRepeatedNames: allowsRepeatedNames)
        guard let value = try? reader.element(depth), reader.rest.isEmpty else { return nil }
        return value
    }

    /// Whitespace, value, whitespace.
    private mutating func element(_ depth: Int) throws -> JSONValue {
        space()
        let value = try value(depth)
        space()
        return value
    }

    private mutating func space() {
        while let next = rest.first, [" ", "\t", "\n", "\r"].contains(next) { rest.removeFirst() }
    }

    private mutating func take(_ wanted: Unicode.Scalar) -> Bool {
        guard rest.first == wanted else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func value(_ depth: Int) throws -> JSONValue {
        for (word, value) in [("true", JSONValue.boolean(true)), ("false", .boolean(false)), ("null", .null)]
        where rest.starts(with: word.unicodeScalars) {
            rest.removeFirst(word.unicodeScalars.count)
            return value
        }
        if rest.first == "\"" { return .string(Array(try string().utf8)) }
        guard rest.first == "{" || rest.first == "[" else { return .number(try number()) }
        guard depth > 0 else { throw Refusal() }
        return take("{") ? try object(depth - 1) : try array(depth - 1)
    }

    private mutating func object(_ depth: Int) throws -> JSONValue {
        var members: [JSONValue.Member] = []
        space()
        if take("}") { return .object([]) }
        repeat {
            space()
            let name = Array(try string().utf8)
            space()
            guard take(":"), allowsRepeatedNames || !members.contains(where: { $0.name == name }) else {
                throw Refusal()
            }
            members.append(.init(name: name, value: try element(depth)))
        } while take(",")
        guard take("}") else { throw Refusal() }
        return .object(members)
    }

    private mutating func array(_ depth: Int) throws -> JSONValue {
        _ = take("[")
        var items: [JSONValue] = []
        space()
        if take("]") { return .array([]) }
        repeat { items.append(try element(depth)) } while take(",")
        guard take("]") else { throw Refusal() }
        return .array(items)
    }

    private mutating func number() throws -> [UInt8] {
        var text = ""
        func digit(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { "0"..."9" ~= $0 } ?? false }
        func move() { text.unicodeScalars.append(rest.removeFirst()) }
        func digits() throws {
            guard digit(rest.first) else { throw Refusal() }
            while digit(rest.first) { move() }
        }
        if rest.first == "-" { move() }
        if rest.first == "0" { move() } else { try digits() }
        if rest.first == "." {
            move()
            try digits()
        }
        if rest.first == "e" || rest.first == "E" {
            move()
            if rest.first == "+" || rest.first == "-" { move() }
            try digits()
        }
        return Array(text.utf8)
    }

    private mutating func string() throws -> String {
        guard take("\"") else { throw Refusal() }
        var units: [UInt16] = []
        while true {
            guard let next = rest.popFirst(), next.value >= 0x20 else { throw Refusal() }
            if next == "\"" { break }
            if next == "\\" { units.append(try escaped()) } else { units += Array(String(next).utf16) }
        }
        // Only an escape can be half of a surrogate pair.
        guard let text = String(validating: units, as: UTF16.self) else { throw Refusal() }
        return text
    }

    private mutating func escaped() throws -> UInt16 {
        let plain: [Unicode.Scalar: UInt16] = [
            "\"": 0x22, "\\": 0x5C, "/": 0x2F, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9,
        ]
        guard let letter = rest.popFirst() else { throw Refusal() }
        if let unit = plain[letter] { return unit }
        let digits = rest.prefix(4)
        guard letter == "u", digits.count == 4, digits.allSatisfy(\.properties.isASCIIHexDigit),
            let unit = UInt16(String(digits), radix: 16)
        else { throw Refusal() }
        rest.removeFirst(4)
        return unit
    }
}
