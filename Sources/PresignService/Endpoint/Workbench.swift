import Presigning
import Telemetry

/// What a thread signs and answers with, used again for one request after the other.
struct Workbench {
    var presigner = Presigner()
    /// Of the log.
    var time = TimeText()
    private var expiry = TimeText()
    /// That of the last answer, unless somebody still has it.
    private var body: [UInt8] = []

    /// One JSON object and a line feed.
    mutating func json(_ answer: borrowing PresignAnswer, of record: borrowing RequestRecord) -> [UInt8] {
        body.removeAll(keepingCapacity: true)
        answer.append(of: record, to: &body, then: "\n", &expiry)
        return body
    }
}
