import HTTP1
import Presigning
import Telemetry
import Text

/// The response to a batch, written while its items are decided, one after the other.
struct BatchResponse: Sendable {
    /// One item that waits for the storage. Its result is in place already, as if the object were there.
    struct Check: Sendable {
        let head: PresignedObject.Check
        /// The place of its result in the body.
        let range: Range<Int>
        let record: RequestRecord
    }

    /// The items to be checked, in order.
    private(set) var checks: [Check] = []
    /// How the caller stands to its limit after the last item; nil without one.
    private(set) var rateLimit: RateLimitStatus?
    private var body: [UInt8] = []
    private var count = 0
    private var refused = 0
    /// Counts and audits the items.
    private let endpoint: Endpoint

    /// - Parameter count: how many items there will be.
    init(count: Int, _ endpoint: Endpoint) {
        self.endpoint = endpoint
        body.reserveCapacity(PresignResponse.usualSize * count + 16)
        body.append(#"{"results":["#)
    }

    /// Adds the result of the next item, and finishes the item unless it waits for the storage.
    mutating func add(_ result: Result<PresignedObject, Refusal>, _ record: RequestRecord) {
        if count > 0 { body.append(UInt8(ascii: ",")) }
        count += 1
        rateLimit = record.rateLimit
        switch result {
        case .success(let presigned):
            let start = body.count
            PresignResponse(presigned).append(to: &body)
            if let head = presigned.check {
                checks.append(Check(head: head, range: start..<body.count, record: record))
            } else {
                endpoint.finish(item: record, status: 200)
            }
        case .failure(let refusal):
            refuse(refusal, record)
        }
    }

    /// The same response without the URLs of objects that are not there.
    ///
    /// - Parameter outcomes: of each of `checks`.
    func resolved(_ outcomes: [ExistenceOutcome]) -> BatchResponse {
        var resolved = self
        resolved.body = []
        resolved.body.reserveCapacity(body.count)
        resolved.checks = []
        var end = 0
        for (check, outcome) in zip(checks, outcomes) {
            guard let problem = outcome.problem(for: check.head.key) else {
                endpoint.finish(item: check.record, status: 200)
                continue
            }
            resolved.body.append(body.span.extracting(end..<check.range.lowerBound))
            end = check.range.upperBound
            let refusal = Refusal(problem)
            var record = check.record
            record.add(refusal)
            resolved.refuse(refusal, record)
        }
        resolved.body.append(body.span.extracting(end...))
        return resolved
    }

    /// Bytes of memory it holds.
    var heldBytes: Int { checks.reduce(body.capacity) { $0 + $1.head.url.utf8.count + Self.checkSize } }

    /// For the request's line in the log; nil when every item got its URL.
    var reason: String? { refused == 0 ? nil : "\(refused) of \(count) items refused" }

    /// The whole response, when no check is left.
    var finished: HTTPResponse { HTTPResponse(status: 200, fields: .json, body: body + "]}\n".utf8) }

    private mutating func refuse(_ refusal: Refusal, _ record: RequestRecord) {
        refused += 1
        body.append(#"{"error":"#)
        refusal.problem.append(to: &body, requestID: record.requestID, isItem: true)
        body.append(UInt8(ascii: "}"))
        endpoint.finish(item: record, status: refusal.problem.status)
    }

    /// More than the bytes of one check besides its URL.
    private static let checkSize = 2048
}
