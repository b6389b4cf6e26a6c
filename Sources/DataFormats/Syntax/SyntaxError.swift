/// A syntax error in a JSON text or a form.
package struct SyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The rule that the text violates.
    package enum Reason: Equatable, Sendable {
        // The whole text.
        case textTooLong, invalidUTF8, byteOrderMark, trailingText
        // A JSON value.
        case expectedValue, expectedObject, expectedArray, nestedTooDeeply
        case expectedColon, expectedCommaOrBrace, expectedCommaOrBracket, trailingComma
        case expectedDigit, leadingZero
        // A JSON string.
        case expectedString, unterminatedString, unescapedControlCharacter
        case unknownEscape, expectedHexadecimalDigits, loneSurrogate
        // A form.
        case tooManyFields, expectedNameAndValue, emptyName, trailingAmpersand, invalidPercentEscape
        /// Two members of a JSON object, or two form fields, with the same decoded name.
        case duplicateName([UInt8])
    }

    /// The rule that the text violates.
    package let reason: Reason
    /// The offset of the error in bytes, from 0.
    package let offset: Int

    /// - Parameter offset: the offset of the error in bytes, from 0.
    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// The reason and the offset. It never quotes the text, which may contain secrets.
    package var description: String { "\(reason.message), at byte \(offset)" }
}

extension SyntaxError.Reason {
    /// A short description of the error.
    fileprivate var message: String {
        switch self {
        case .textTooLong: "the text is too long"
        case .invalidUTF8: "invalid UTF-8"
        case .byteOrderMark: "a byte order mark is not allowed"
        case .trailingText: "unexpected text after the value"
        case .expectedValue: "expected a value"
        case .expectedObject: "expected an object"
        case .expectedArray: "expected an array"
        case .nestedTooDeeply: "too deeply nested"
        case .expectedColon: "expected a colon"
        case .expectedCommaOrBrace: "expected a comma or a closing brace"
        case .expectedCommaOrBracket: "expected a comma or a closing bracket"
        case .trailingComma: "a trailing comma is not allowed"
        case .expectedDigit: "expected a digit"
        case .leadingZero: "a number must not have leading zeros"
        case .expectedString: "expected a string"
        case .unterminatedString: "unterminated string"
        case .unescapedControlCharacter: "control characters must be escaped"
        case .unknownEscape: "unknown escape in a string"
        case .expectedHexadecimalDigits: "expected four hexadecimal digits"
        case .loneSurrogate: "unpaired surrogate in a string"
        case .tooManyFields: "too many fields"
        case .expectedNameAndValue: "a field must be name=value"
        case .emptyName: "a field must have a name"
        case .trailingAmpersand: "unexpected & at the end"
        case .invalidPercentEscape: "% must be followed by two hexadecimal digits"
        case .duplicateName: "duplicate name"
        }
    }
}
