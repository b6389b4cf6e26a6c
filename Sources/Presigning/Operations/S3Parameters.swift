import Cryptography
import Text

/// Headers and query parameters by the names S3's API gives them (`ContentDisposition`, `Metadata`, `VersionId`, ...).
public struct S3Parameters: Sendable {
    /// The value of a parameter.
    public enum Value: Sendable, Hashable {
        /// Text; a date is RFC 3339.
        case string(String)
        /// A number.
        case integer(Int)
        /// Yes or no.
        case boolean(Bool)
        /// Names and texts, for `Metadata`.
        case map([String: String])
    }

    /// The headers to sign.
    public private(set) var headers: [(name: String, value: String)] = []
    /// The query parameters to sign.
    public private(set) var query: [(name: String, value: String)] = []

    /// The names of the parameters there are, sorted.
    package static let names: [String] = S3ParameterLocation.table.keys.sorted()

    /// Finds every parameter's place and writes its value as the place wants it.
    ///
    /// - Throws: `StorageError.validation` naming the first parameter, by name, that is unknown or of the wrong kind.
    public init(_ parameters: [String: Value]) throws(StorageError) {
        // In order, so that of several mistakes the same one is named each time.
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
                    name, "S3 has no such parameter for these operations.", "Check the spelling and the case.")
            }
        }
    }

    private static func metadata(_ value: Value, for name: String) throws(StorageError) -> [(String, String)] {
        guard case .map(let entries) = value else {
            throw .invalid(name, "It is no object of texts.", "Write it as {\"name\": \"text\"}.")
        }
        return entries.map { ("x-amz-meta-" + $0.key, $0.value) }
    }

    /// A customer-provided key travels in base 64, with its MD5 as a check.
    private static func customerKey(_ value: Value, for name: String) throws(StorageError) -> [(String, String)] {
        let key = Array(try S3ParameterFormat.text.text(of: value, for: name).utf8)
        let header = "x-amz-server-side-encryption-customer-key"
        return [(header, Base64.encode(key)), (header + "-md5", Base64.encode(InsecureHash.hash(key, .md5)))]
    }
}
