/// Why a JSON text or a form was refused, and where.
package struct SyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The rule that the text breaks.
    package enum Reason: Equatable, Sendable {
        // The whole text.
        case textTooLong, invalidUTF8, byteOrderMark, trailingText
        // A JSON value.
        case expectedValue, expectedObject, expectedArray, nestedTooDeeply
        case expectedColon, expectedCommaOrBrace, expectedCommaOrBracket
        case expectedDigit, leadingZero
        // A JSON string.
        case expectedString, unterminatedString, unescapedControlCharacter
        case unknownEscape, expectedHexadecimalDigits, loneSurrogate
        // A form.
        case tooManyFields, expectedNameAndValue, emptyName, trailingAmpersand, invalidPercentEscape
        /// Two members of a JSON object, or two form fields, with the same decoded name.
        case duplicateName([UInt8])
    }

    /// The rule that the text breaks.
    package let reason: Reason
    /// Bytes from the start of the text, from 0.
    package let offset: Int

    /// - Parameter offset: bytes from the start of the text
    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// The reason and the offset. It repeats nothing of the text, which may hold secrets.
    package var description: String { "\(reason.message), at byte \(offset)" }
}

extension SyntaxError.Reason {
    /// What is wrong, in a few words.
    fileprivate var message: String {
        switch self {
        case .textTooLong: "the text is too long"
        case .invalidUTF8: "invalid UTF-8"
        case .byteOrderMark: "a byte order mark is not allowed"
        case .trailingText: "unexpected text after the value"
        case .expectedValue: "a value is expected"
        case .expectedObject: "an object is expected"
        case .expectedArray: "an array is expected"
        case .nestedTooDeeply: "too deeply nested"
        case .expectedColon: "a colon is expected"
        case .expectedCommaOrBrace: "a comma or a closing brace is expected"
        case .expectedCommaOrBracket: "a comma or a closing bracket is expected"
        case .expectedDigit: "a digit is expected"
        case .leadingZero: "a number must not have leading zeros"
        case .expectedString: "a string is expected"
        case .unterminatedString: "a string has no closing quote"
        case .unescapedControlCharacter: "a control character must be escaped"
        case .unknownEscape: "unknown escape in a string"
        case .expectedHexadecimalDigits: "four hexadecimal digits are expected"
        case .loneSurrogate: "a lone surrogate in a string"
        case .tooManyFields: "too many fields"
        case .expectedNameAndValue: "a field must be name=value"
        case .emptyName: "a field must have a name"
        case .trailingAmpersand: "unexpected & at the end"
        case .invalidPercentEscape: "% must be followed by two hexadecimal digits"
        case .duplicateName: "duplicate name"
        }
    }
}
