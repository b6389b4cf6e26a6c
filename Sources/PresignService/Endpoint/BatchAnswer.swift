import HTTP1
import Telemetry
import Text

/// The answer to a batch, written while its items are decided, one after the other.
struct BatchAnswer: Sendable {
    /// One item that waits for the storage. Its result is in place already, as if the object were there.
    final class Check: Sendable {
        let storage: StorageCheck
        /// Where its result stands in the body.
        let range: Range<Int>
        let record: RequestRecord

        fileprivate init(_ storage: StorageCheck, _ range: Range<Int>, _ record: borrowing RequestRecord) {
            self.storage = storage
            self.range = range
            self.record = record.detached()
        }
    }

    /// The items to be checked, in order.
    private(set) var checks: [Check] = []
    private var body: [UInt8] = []
    private var count = 0
    private var refused = 0
    private let requestID: RequestID
    private var audit: Auditor?
    private var expiry = TimeText()

    /// - Parameters:
    ///   - count: how many items there will be.
    ///   - audit: is told of each item; nil when it is off.
    init(count: Int, requestID: RequestID, audit: Auditor?) {
        self.requestID = requestID
        self.audit = audit
        body.reserveCapacity(Self.expectedResult * count + 16)
        body.append(#"{"results":["#)
    }

    /// Adds the result of an item that is allowed.
    mutating func add(_ presigned: borrowing Presigned, _ record: borrowing RequestRecord) {
        beginResult()
        let start = body.count
        presigned.answer.append(of: record, to: &body, &expiry)
        if let check = presigned.check {
            checks.append(Check(check, start..<body.count, record))
        } else {
            note(record, nil)
        }
    }

    /// Adds the result of an item that is refused.
    mutating func add(_ problem: Problem, _ record: borrowing RequestRecord) {
        beginResult()
        append(problem)
        note(record, problem)
    }

    /// The whole answer, when nothing is left to check.
    consuming func closed() -> [UInt8] {
        body.append("]}\n")
        return body
    }

    /// The same answer without the URLs of objects that are not there.
    ///
    /// - Parameter outcomes: of each of `checks`.
    consuming func resolved(_ outcomes: [ExistenceOutcome]) -> BatchAnswer {
        let old = body
        var end = 0
        body = []
        body.reserveCapacity(old.count)
        for (check, outcome) in zip(checks, outcomes) {
            let problem = outcome.problem(for: check.storage.key)
            check.storage.note(problem)
            guard let problem else {
                note(check.record, nil)
                continue
            }
            body.append(old.span.extracting(end..<check.range.lowerBound))
            end = check.range.upperBound
            append(problem)
            note(check.record, problem)
        }
        body.append(old.span.extracting(end...))
        checks = []
        return self
    }

    /// Bytes of memory it holds.
    var heldBytes: Int { checks.reduce(body.capacity) { $0 + $1.storage.url.utf8.count + Self.checkSize } }

    /// For the request's line in the log; nil when every item got its URL.
    var reason: String? { refused == 0 ? nil : "\(refused) of \(count) items refused" }

    private mutating func beginResult() {
        if count > 0 { body.append(UInt8(ascii: ",")) }
        count += 1
    }

    private mutating func append(_ problem: Problem) {
        body.append(#"{"error":"#)
        problem.append(to: &body, requestID: requestID, isItem: true)
        body.append(UInt8(ascii: "}"))
    }

    /// Called once for each item, as soon as it is known what becomes of it.
    private mutating func note(_ record: borrowing RequestRecord, _ problem: Problem?) {
        if problem != nil { refused += 1 }
        audit?.append(record, problem)
    }

    /// About the bytes of one result with standing credentials.
    private static let expectedResult = 640
    /// More than the bytes of one check besides its URL.
    private static let checkSize = 2048
}
