import Cryptography
import Text

/// Headers and query parameters, created from S3 API parameters such as `ContentDisposition` or `VersionId`.
public struct S3Parameters: Sendable {
    /// The value of a parameter.
    public enum Value: Sendable, Hashable {
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
    public private(set) var headers: [(name: String, value: String)] = []
    /// The query parameters to sign.
    public private(set) var query: [(name: String, value: String)] = []

    /// The names of all known parameters, sorted.
    package static let names: [String] = S3ParameterLocation.table.keys.sorted()

    /// Converts S3 API parameters to headers and query parameters.
    ///
    /// - Throws: `StorageError.validation` for the first parameter, sorted by name, that is unknown or whose value has
    ///   the wrong type or format.
    public init(_ parameters: [String: Value]) throws(StorageError) {
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
