/// The format of a parameter's value in the request.
enum S3ParameterFormat: Sendable {
    case text
    case number
    case boolean
    /// `Sat, 01 Jun 2030 12:00:00 GMT`
    case httpDate
    /// `2030-06-01T12:00:00Z`
    case rfc3339Date

    /// Returns the value in this format.
    ///
    /// - Throws: `StorageError.validation` if the value has the wrong type or is not a valid date.
    func text(of value: S3Parameters.Value, for name: String) throws(StorageError) -> String {
        switch (self, value) {
        case (.text, .string(let text)):
            return text
        case (.number, .integer(let number)) where number >= 0:
            return "\(number)"
        case (.boolean, .boolean(let isOn)):
            return isOn ? "true" : "false"
        case (.httpDate, .string(let text)):
            return try Self.date(text, for: name).httpDateText
        case (.rfc3339Date, .string(let text)):
            return try Self.date(text, for: name).rfc3339Text
        default:
            throw .invalid(name, "It has the wrong type.", "Use \(expectedType).")
        }
    }

    private static func date(_ text: String, for name: String) throws(StorageError) -> SigningTime {
        guard let time = SigningTime(rfc3339: text) else {
            throw .invalid(
                name, "\(text.debugDescription) is not an RFC 3339 date.",
                "Write it like this: 2030-06-01T12:00:00Z.")
        }
        return time
    }

    private var expectedType: String {
        switch self {
        case .text: "a string"
        case .number: "an integer of 0 or more"
        case .boolean: "true or false"
        case .httpDate, .rfc3339Date: "an RFC 3339 date in a string, for example \"2030-06-01T12:00:00Z\""
        }
    }
}
