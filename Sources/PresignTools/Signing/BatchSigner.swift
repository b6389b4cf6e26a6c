import DataFormats
import PresignService
package import Presigning
import StorageCredentials
import Text

/// Signs JSON Lines: one request and one response per line.
///
/// A line can carry all values (credentials, bucket, region, date); the defaults supply those that it leaves out.
package struct BatchSigner {
    private let defaults: SigningDefaults
    private var presigner = Presigner()

    /// - Parameter defaults: the values for fields that a line leaves out.
    package init(defaults: SigningDefaults) {
        self.defaults = defaults
    }

    /// Returns `{"id","url"}` or `{"id","error"}` with a line feed.
    ///
    /// - Parameter time: the current time, for lines without a `date`.
    package mutating func response(to line: ArraySlice<UInt8>, at time: SigningTime) -> [UInt8] {
        do throws(FieldFailure) {
            let request = try BatchRequest(parsing: line, defaults: defaults)
            do {
                let url = try request.task.url(
                    with: request.credentials, at: request.date ?? time, using: &presigner)
                return Self.line(id: request.id, member: "url", value: url.bytes)
            } catch {
                throw FieldFailure("", error.description)
            }
        } catch {
            return Self.line(id: BatchRequest.id(in: line), member: "error", value: Array(error.description.utf8))
        }
    }

    private static func line(id: JSONValue?, member: StaticString, value: [UInt8]) -> [UInt8] {
        var line = ByteBuffer()
        line.append(#"{"id":"#)
        line.appendJSON(id ?? .null)
        line.appendMember(member, value.span)
        line.append("}\n")
        return line.bytes
    }
}

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
        if found == nil { found = try defaults.credentials[operation.traits.role].value() }
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
        let key = operation.isForBucket ? [] : try members.key()
        let extras = try members.extras(for: operation, defaults)
        let options = try members.endpoint(over: defaults)
        do throws(StorageError) {
            return AWSS3StorageGetURLTask(
                operation,
                key: StoragePath(bytes: members.hasBucket || operation.isForBucket ? key : defaults.prefix + key),
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
