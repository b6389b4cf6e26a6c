import HTTP1
import ObjectExistence
import Presigning
import Telemetry
import Text

/// The response to a batch, written item by item as the items are decided.
struct BatchResponse: Sendable {
    /// An item that needs an existence check. Its result with the URL is already in the body.
    struct Check: Sendable {
        let head: PresignResponse.Check
        let index: Int
        /// The position of its result in the body.
        let range: Range<Int>
        let record: RequestRecord
    }

    /// The items that need a check, in order.
    private(set) var checks: [Check] = []
    /// The caller's rate limit after the last item; nil if the caller has none.
    private(set) var rateLimit: RateLimitStatus?
    let format: any BatchFormat
    private var body: [UInt8] = []
    private var count = 0
    private var refused = 0
    /// Counts the items and writes them to the audit.
    private let endpoint: Endpoint

    init(_ format: any BatchFormat, _ endpoint: Endpoint) {
        self.format = format
        self.endpoint = endpoint
        body.reserveCapacity(PresignResponse.usualSize * format.count + 32)
        body.append(format.start)
    }

    /// Adds the URL of the next item. Counts and audits the item now unless it needs a check.
    mutating func add(_ presigned: PresignResponse, _ record: inout RequestRecord) {
        let index = begin(record)
        let start = body.count
        var item = ByteBuffer(capacity: PresignResponse.usualSize)
        format.append(presigned, of: index, to: &item)
        append(item)
        if let head = presigned.check {
            checks.append(Check(head: head, index: index, range: start..<body.count, record: record))
        } else {
            endpoint.finish(item: &record, status: 200)
        }
    }

    /// Adds the refusal of the next item. Counts and audits the item.
    mutating func add(_ refusal: Refusal, _ record: inout RequestRecord) {
        refuse(refusal, &record, at: begin(record))
    }

    /// Returns the index of the next item.
    private mutating func begin(_ record: RequestRecord) -> Int {
        if count > 0 { body.append(UInt8(ascii: ",")) }
        count += 1
        rateLimit = record.rateLimit
        return count - 1
    }

    /// Returns the response without the URLs of missing downloads and of uploads that are not needed.
    ///
    /// - Parameter outcomes: one per element of `checks`, in the same order.
    func resolved(_ outcomes: [ExistenceOutcome]) -> BatchResponse {
        var resolved = self
        resolved.body = []
        resolved.body.reserveCapacity(body.count)
        resolved.checks = []
        var end = 0
        for (check, outcome) in zip(checks, outcomes) {
            var record = check.record
            guard let replacement = check.head.replacement(for: outcome) else {
                endpoint.finish(item: &record, status: 200)
                continue
            }
            resolved.body.append(body.span.extracting(end..<check.range.lowerBound))
            end = check.range.upperBound
            switch replacement {
            case .refusal(let problem):
                let refusal = Refusal(problem)
                record.add(refusal)
                resolved.refuse(refusal, &record, at: check.index)
            case .stored:
                record.signed = nil
                var item = ByteBuffer(capacity: 128)
                format.appendStored(check.index, to: &item)
                resolved.append(item)
                endpoint.finish(item: &record, status: 200)
            }
        }
        resolved.body.append(body.span.extracting(end...))
        return resolved
    }

    /// An upper estimate of the bytes of memory it holds.
    var heldBytes: Int { checks.reduce(body.capacity) { $0 + $1.head.url.utf8.count + Self.checkSize } }

    /// The reason for the request log; nil if no item was refused.
    var reason: String? { refused == 0 ? nil : "\(refused) of \(count) items refused" }

    /// The complete response. Valid only after `resolved` if there are checks.
    var finished: HTTPResponse {
        var body = body
        body.append(format.end)
        return HTTPResponse(status: 200, fields: format.fields, body: body)
    }

    private mutating func refuse(_ refusal: Refusal, _ record: inout RequestRecord, at index: Int) {
        refused += 1
        var item = ByteBuffer(capacity: 512)
        format.append(refusal.problem, of: index, requestID: record.requestID, to: &item)
        append(item)
        endpoint.finish(item: &record, status: refusal.problem.status)
    }

    private mutating func append(_ item: borrowing ByteBuffer) {
        item.withBytes(0..<item.count) { body.append($0) }
    }

    /// An upper bound of the bytes of one check, its URL excluded.
    private static let checkSize = 2048
}
