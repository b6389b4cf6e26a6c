import DataFormats
import PresignService
package import Presigning
import Text

/// Signs JSON Lines with the fields of `POST /presign`: one request and one response per line.
package struct BatchSigner {
    private let defaults: SigningDefaults
    private var presigner = Presigner()

    /// - Parameter defaults: the bucket, the credentials, and the values of fields that a line leaves out.
    package init(defaults: SigningDefaults) {
        self.defaults = defaults
    }

    /// Returns the response of the service, or `{"error"}`, with a line feed.
    ///
    /// - Parameter time: the current time, from which the URL is valid.
    package mutating func response(to line: ArraySlice<UInt8>, at time: SigningTime) -> [UInt8] {
        do throws(FieldFailure) {
            let fields = try Self.fields(of: line)
            return try OfflineSigning.url(fields, defaults, at: time, using: &presigner).json + [ASCII.lineFeed]
        } catch {
            var response = ByteBuffer()
            response.append(#"{"error":"#)
            response.appendJSON(string: error.description)
            response.append("}\n")
            return response.bytes
        }
    }

    private static func fields(of line: ArraySlice<UInt8>) throws(FieldFailure) -> PresignFields {
        do throws(Problem) {
            return try PresignFields(json: line, from: .line)
        } catch {
            throw FieldFailure("", error.detail)
        }
    }
}
