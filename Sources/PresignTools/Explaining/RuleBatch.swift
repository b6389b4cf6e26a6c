import DataFormats
import PresignService
import Text

/// Decides JSON Lines: one question and one verdict per line.
package struct RuleBatch: Sendable {
    private let file: PolicyFile
    /// The number of invalid lines.
    package private(set) var failures = 0

    /// - Parameter file: the rules that decide.
    package init(_ file: PolicyFile) {
        self.file = file
    }

    /// Returns the verdict `{status, rule, reason, fields, ...}`, or `{"error"}`, with a line feed.
    package mutating func response(to line: ArraySlice<UInt8>) -> [UInt8] {
        do throws(FieldFailure) {
            let question = try RuleQuestion(parsing: line)
            return file.verdict(on: question.request).json(id: question.id)
        } catch {
            failures += 1
            var response = Array("{".utf8)
            if let id = BatchRequest.id(in: line) {
                response.append(#""id":"#)
                response.appendJSON(id)
                response.append(",")
            }
            response.append(#""error":"#)
            response.appendJSON(string: error.description)
            response.append("}\n")
            return response
        }
    }
}
