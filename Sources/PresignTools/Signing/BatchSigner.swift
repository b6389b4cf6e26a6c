import DataFormats
import PresignService
package import Presigning

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
        var line = Array(#"{"id":"#.utf8)
        line.appendJSON(id ?? .null)
        line.appendMember(member, value.span)
        line.append(contentsOf: "}\n".utf8)
        return line
    }
}
