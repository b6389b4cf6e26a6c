/// How a parameter's value is written.
enum S3ParameterFormat: Sendable {
    case text
    case number
    case boolean
    /// `Sat, 01 Jun 2030 12:00:00 GMT`
    case httpDate
    /// `2030-06-01T12:00:00Z`
    case rfc3339Date

    /// Writes a value, or says which kind is wanted.
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
            throw .invalid(name, "It is of the wrong kind.", "Give \(wanted).")
        }
    }

    private static func date(_ text: String, for name: String) throws(StorageError) -> SigningTime {
        guard let time = SigningTime(rfc3339: text) else {
            throw .invalid(
                name, "\(text.debugDescription) is no date.", "Write it as RFC 3339, for example 2030-06-01T12:00:00Z.")
        }
        return time
    }

    private var wanted: String {
        switch self {
        case .text: "a text"
        case .number: "a number that is not negative"
        case .boolean: "true or false"
        case .httpDate, .rfc3339Date: "a date as text, for example 2030-06-01T12:00:00Z"
        }
    }
}
