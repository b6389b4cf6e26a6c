import DataFormats
import PresignService
import Text

/// Answers JSON Lines: one question a line, one verdict a line.
package struct RuleBatch: Sendable {
    private let file: PolicyFile
    /// How many lines could not be read.
    package private(set) var failures = 0

    /// - Parameter file: the rules that are asked.
    package init(_ file: PolicyFile) {
        self.file = file
    }

    /// The verdict on one line, `{status, rule, reason, fields, ...}`, or `{"error"}`; and a line feed.
    package mutating func answer(to line: ArraySlice<UInt8>) -> [UInt8] {
        do throws(FieldFailure) {
            let question = try RuleQuestion(parsing: line)
            return file.verdict(on: question.request).json(id: question.id)
        } catch {
            failures += 1
            var answer = Array("{".utf8)
            if let id = BatchRequest.id(in: line) {
                answer.append(#""id":"#)
                answer.appendJSON(id)
                answer.append(",")
            }
            answer.append(#""error":"#)
            answer.appendJSON(string: error.description)
            answer.append("}\n")
            return answer
        }
    }
}
