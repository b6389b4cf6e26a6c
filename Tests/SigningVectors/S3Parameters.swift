import Cryptography
import Presigning
import Text

/// Headers and query parameters, created from S3 API parameters such as `ContentDisposition` or `VersionId`.
struct S3Parameters: Sendable {
    /// The value of a parameter.
    enum Value: Sendable, Hashable {
        /// A string. Dates are RFC 3339.
        case string(String)
        /// An integer.
        case integer(Int)
        /// A Boolean.
        case boolean(Bool)
        /// Names with string values, for `Metadata`.
        case map([String: String])
    }

    /// The headers to sign.
    private(set) var headers: [(name: String, value: String)] = []
    /// The query parameters to sign.
    private(set) var query: [(name: String, value: String)] = []

    /// The names of all known parameters, sorted.
    static let names: [String] = S3ParameterLocation.table.keys.sorted()

    /// Converts S3 API parameters to headers and query parameters.
    ///
    /// - Throws: `StorageError.validation` for the first parameter, sorted by name, that is unknown or whose value has
    ///   the wrong type or format.
    init(_ parameters: [String: Value]) throws(StorageError) {
        // Sorted, so that the same parameters always report the same error.
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
            switch S3ParameterLocation.table[name] {
            case .header(let header, let format)?:
                headers.append((header, try format.text(of: value, for: name)))
            case .query(let parameter, let format)?:
                query.append((parameter, try format.text(of: value, for: name)))
            case .metadata?:
                headers += try Self.metadata(value, for: name)
            case .customerKey?:
                headers += try Self.customerKey(value, for: name)
            case nil:
                throw .invalid(
                    name, "It is not an S3 parameter of a supported operation.",
                    "Check the spelling; names are case-sensitive.")
            }
        }
    }

    private static func metadata(_ value: Value, for name: String) throws(StorageError) -> [(String, String)] {
        guard case .map(let entries) = value else {
            throw .invalid(name, "It is not an object of strings.", "Write it like this: {\"name\": \"value\"}.")
        }
        return entries.map { ("x-amz-meta-" + $0.key, $0.value) }
    }

    /// S3 requires a customer-provided key in base64, with the MD5 of the key as an integrity check.
    private static func customerKey(_ value: Value, for name: String) throws(StorageError) -> [(String, String)] {
        let key = Array(try S3ParameterFormat.text.text(of: value, for: name).utf8)
        let header = "x-amz-server-side-encryption-customer-key"
        return [(header, Base64.encode(key)), (header + "-md5", Base64.encode(InsecureHash.hash(key, .md5)))]
    }
}

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
