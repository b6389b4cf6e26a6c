import DataFormats
import PresignService
import Presigning
import StorageCredentials
import Text

/// One valid line of a batch.
struct BatchRequest {
    let id: JSONValue?
    let task: AWSS3StorageGetURLTask
    let credentials: Credentials
    let date: SigningTime?

    /// Limits of a line: enough for a key of 1 KiB with every byte escaped, a session token and headers.
    static let limits = JSONLimits(size: 1 << 20, depth: 8)

    init(parsing line: ArraySlice<UInt8>, defaults: SigningDefaults) throws(FieldFailure) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: line, limits: Self.limits)
        } catch {
            throw FieldFailure("", "the line is not a JSON object: \(error)")
        }
        let members = try BatchMembers(line: value)
        id = members["id"]
        date = try members.date("date")
        let expiresIn = try defaults.lifetime(of: try members.integer("expiresIn").map(Int64.init))
        let operation = try members.operation(defaults)
        var found = try members.credentials()
        if found == nil { found = try defaults.credentials[operation.credentialRole].value() }
        guard let credentials = found else {
            throw FieldFailure(
                "credentials",
                "not found; set `credentials` in the line, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
        }
        self.credentials = credentials
        task = try Self.task(operation, members, defaults, expiresIn: expiresIn)
    }

    private static func task(
        _ operation: AWSS3SigningOperation, _ members: BatchMembers, _ defaults: SigningDefaults, expiresIn: Int
    ) throws(FieldFailure) -> AWSS3StorageGetURLTask {
        let key = try members.key()
        let extras = try members.extras(for: operation, defaults)
        let options = try members.endpoint(over: defaults)
        do throws(StorageError) {
            return AWSS3StorageGetURLTask(
                operation, key: StoragePath(bytes: members.hasBucket ? key : defaults.prefix + key),
                in: try S3Bucket(options), expiresIn: expiresIn, headers: extras.headers, query: extras.query,
                window: members.hasBucket ? 0 : defaults.window)
        } catch {
            throw FieldFailure("", error.description)
        }
    }

    /// Returns the `id` of a line, even if the rest of the line is invalid; nil unless it is a string or a number.
    static func id(in line: ArraySlice<UInt8>) -> JSONValue? {
        var id: JSONValue?
        do throws(SyntaxError) {
            var reader = try JSONReader(line, limits: limits)
            try reader.readObject { reader, name throws(SyntaxError) in
                if name.elementsEqual("id".utf8) {
                    id = try reader.value()
                } else {
                    try reader.skipValue()
                }
            }
        } catch {
            // The caller reports the error of the line.
        }
        switch id {
        case .string, .number: return id
        default: return nil
        }
    }
}
