import DataFormats
import PresignService
package import Presigning

/// Signs JSON Lines: one request a line, one answer a line.
///
/// A line may carry everything itself (credentials, bucket, region, date); what it leaves out comes from the defaults.
package struct BatchSigner {
    private let defaults: SigningDefaults
    private var presigner = Presigner()

    /// - Parameter defaults: what lines may leave out.
    package init(defaults: SigningDefaults) {
        self.defaults = defaults
    }

    /// The answer to one line: `{"id","url"}` or `{"id","error"}` and a line feed.
    ///
    /// - Parameter time: now, for lines without a `date`.
    package mutating func answer(to line: ArraySlice<UInt8>, at time: SigningTime) -> [UInt8] {
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
