import Foundation
import SocketTestSupport

extension RawResponse {
    /// The text of the first element of a name, as it stands there.
    func element(_ name: String) -> String? {
        guard let start = text.range(of: "<\(name)>"), let end = text.range(of: "</\(name)>") else { return nil }
        return String(text[start.upperBound..<end.lowerBound])
    }

    /// S3's word for the error.
    var code: String? { element("Code") }
}
