package import DataFormats
import Text

/// The reason why a claim's value is ignored, a clause whose subject is the claim.
package enum UnusableClaim: String, Error {
    case empty = "is empty"
    case null = "is null"
    case inexact = "is a number with a fraction, an exponent or more than 15 digits"
    case structured = "is an object or an array where a string is expected"
    case unsafe = "is not a valid path segment"
    case several = "has more than 1000 groups, of which the first 1000 count"
}

extension JSONValue {
    /// A claim's value as text: a string; the digits of a whole number, which every JSON library reads alike up to 15
    /// digits; `true` or `false`.
    package func claimText() throws(UnusableClaim) -> [UInt8] {
        switch self {
        case .string(let text):
            guard !text.isEmpty else { throw .empty }
            return text
        case .number(let digits):
            let magnitude = digits.first == ASCII.hyphen ? digits.dropFirst() : digits[...]
            guard magnitude.count <= 15, magnitude.allSatisfy(ASCII.isDigit), !digits.elementsEqual("-0".utf8) else {
                throw .inexact
            }
            return digits
        case .boolean(let isTrue): return Array((isTrue ? "true" : "false").utf8)
        case .null: throw .null
        case .object, .array: throw .structured
        }
    }
}
