import Testing

@testable import PresignService

/// One case of `json.json`: a name that begins with `y_` (must be read) or `n_` (must be refused), and the text.
struct JSONTextCase: CustomTestStringConvertible, Sendable {
    let name: String
    let text: [UInt8]

    var testDescription: String { name }
    var isGood: Bool { name.hasPrefix("y_") }

    static let all: [JSONTextCase] = {
        guard let bytes = try? CaseFile.bytes("json.json"), case .array(let items)? = try? JSONValue(parsing: bytes)
        else { return [] }
        return items.compactMap { item in
            guard case .array(let pair) = item, pair.count == 2, let name = pair[0].string, let text = pair[1].string
            else { return nil }
            return JSONTextCase(name: String(decoding: name, as: UTF8.self), text: text)
        }
    }()
}

/// A generator whose numbers are the same in each run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
