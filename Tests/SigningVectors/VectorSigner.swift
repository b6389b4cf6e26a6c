import DataFormats
import Presigning
import Text

/// Signs lines in the wire format of the signing vectors. Each line carries everything: location, credentials and time.
struct VectorSigner {
    private var presigner = Presigner()

    /// Returns `{"id","url"}` or `{"id","error"}` with a line feed.
    ///
    /// - Parameter time: the current time, for lines without a `date`.
    mutating func response(to line: ArraySlice<UInt8>, at time: SigningTime) -> [UInt8] {
        do throws(MemberFailure) {
            let request = try VectorRequest(parsing: line)
            do {
                let url = try request.task.url(
                    with: request.credentials, at: request.date ?? time, using: &presigner)
                return Self.line(id: request.id, member: "url", value: url.bytes)
            } catch {
                throw MemberFailure("", error.description)
            }
        } catch {
            return Self.line(id: VectorRequest.id(in: line), member: "error", value: Array(error.description.utf8))
        }
    }

    private static func line(id: JSONValue?, member: StaticString, value: [UInt8]) -> [UInt8] {
        var line = ByteBuffer()
        line.appendObject {
            $0.member("id", id ?? .null)
            $0.member(member, value)
        }
        line.append("\n")
        return line.bytes
    }
}

/// An invalid member of a line: its name, empty for the whole line, and what is wrong.
struct MemberFailure: Error, CustomStringConvertible {
    let description: String

    init(_ name: String, _ detail: String) { description = name.isEmpty ? detail : "\(name): \(detail)" }
}

/// One valid line.
struct VectorRequest {
    let id: JSONValue?
    let task: AWSS3StorageGetURLTask
    let credentials: Credentials
    let date: SigningTime?

    /// Limits of a line: enough for a key of 1 KiB with every byte escaped, a session token and headers.
    private static let limits = JSONLimits(size: 1 << 20, depth: 8)

    init(parsing line: ArraySlice<UInt8>) throws(MemberFailure) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: line, limits: Self.limits)
        } catch {
            throw MemberFailure("", "the line is not a JSON object: \(error)")
        }
        let members = try VectorMembers(line: value)
        id = members["id"]
        date = try members.date("date")
        guard let credentials = try members.credentials() else { throw MemberFailure("credentials", "is missing") }
        self.credentials = credentials
        task = try Self.task(try members.operation(), members)
    }

    private static func task(
        _ operation: AWSS3SigningOperation, _ members: VectorMembers
    ) throws(MemberFailure) -> AWSS3StorageGetURLTask {
        let key = operation.traits.action == .list ? [] : try members.key()
        let extras = try members.extras(for: operation)
        let expiresIn = try members.integer("expiresIn") ?? StorageGetURLRequest.Options.defaultExpires
        guard Presigner.validExpiry.contains(expiresIn) else {
            throw MemberFailure("expiresIn", "is \(expiresIn) seconds; must be 1 to 604800 (7 days)")
        }
        let options = try members.endpoint()
        do throws(StorageError) {
            return AWSS3StorageGetURLTask(
                operation, key: StoragePath(bytes: key), in: try S3Bucket(options), expiresIn: expiresIn,
                headers: extras.headers, query: extras.query)
        } catch {
            throw MemberFailure("", error.description)
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
