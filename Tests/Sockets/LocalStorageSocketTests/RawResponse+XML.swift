import Foundation
import SocketTestSupport

extension RawResponse {
    /// The raw text of the first element with this name.
    func element(_ name: String) -> String? {
        guard let start = text.range(of: "<\(name)>"), let end = text.range(of: "</\(name)>") else { return nil }
        return String(text[start.upperBound..<end.lowerBound])
    }

    /// The S3 error code.
    var code: String? { element("Code") }
}

extension String {
    /// The texts of all elements with this name.
    func components(_ name: String) -> [String] {
        split(separator: "<\(name)>").dropFirst().map { String($0.prefix { $0 != "<" }) }
    }
}
