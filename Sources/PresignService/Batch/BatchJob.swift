import AccessRules
import HTTP1
import HTTPServer
import Presigning
import Requests
import System
import Telemetry
import Text

/// The requests of a batch, and how its response is written: presign's own format, or that of Git LFS.
protocol BatchFormat: Sendable {
    /// The number of requests, at least 1.
    var count: Int { get }
    /// The header fields of the response.
    var fields: HTTPFields { get }
    /// What the response's body begins and ends with; its results are separated by commas.
    var start: StaticString { get }
    var end: StaticString { get }

    /// Returns the request with this index, before its operation is selected.
    ///
    /// - Parameter limit: the maximum size of one request, in bytes.
    func request(at index: Int, limit: Int) throws(Problem) -> PresignRequest
    /// Whether a refusal of one request is the response to all of them.
    func refusesAll(_ problem: Problem) -> Bool
    /// Appends the result of the request with this index.
    func append(_ presigned: PresignResponse, of index: Int, to body: inout ByteBuffer)
    /// Appends the result of the upload with this index if the storage has the object.
    func appendStored(_ index: Int, to body: inout ByteBuffer)
    /// Appends the refusal of the request with this index.
    func append(_ problem: Problem, of index: Int, requestID: RequestID, to body: inout ByteBuffer)
}

/// A batch on the batch queue. Each item is decided as `POST /presign` would decide it.
struct BatchJob: BatchWork {
    /// Decodes a body of at most `limit` bytes.
    typealias Decoder = @Sendable (_ body: [UInt8], _ limit: Int) throws(Problem) -> any BatchFormat

    let body: [UInt8]
    /// The problem found in the head; nil if the body may be decoded.
    let refusal: Problem?
    let decode: Decoder
    let caller: Caller
    /// What is known about the request so far.
    let record: RequestRecord
    let endpoint: Endpoint
    let deferred: DeferredResponse
    /// Called once, on any thread; never if the request is abandoned first.
    let completion: @Sendable (HTTPResponse) -> Void
    /// Nil until the first turn.
    var progress: Progress?

    /// The items, and the results of those that are decided.
    struct Progress: Sendable {
        var response: BatchResponse
        var decided = 0
        let time: SigningTime
        var presigner = Presigner()

        var isComplete: Bool { decided == response.format.count }
    }

    /// Decides items until the deadline, at least one. After the last item it runs the existence checks and completes
    /// the response.
    ///
    /// - Returns: false if items are left.
    mutating func run(until deadline: MonotonicTime) -> Bool {
        if progress == nil ? !deferred.begin() : deferred.isEnded { return true }
        do throws(Refusal) {
            guard let response = try decide(until: deadline) else { return false }
            guard deferred.charge?.resize(to: response.heldBytes) != false else { throw Refusal(.buffersFull) }
            finish(response)
        } catch {
            refuse(error)
        }
        return true
    }

    /// Runs limit → decode → authorize → sign for each item in order, until the deadline.
    ///
    /// - Returns: nil if items are left.
    private mutating func decide(until deadline: MonotonicTime) throws(Refusal) -> BatchResponse? {
        var progress: Progress
        if let begun = self.progress.take() {
            progress = begun
        } else {
            progress = Progress(response: BatchResponse(try decoded(), endpoint), time: endpoint.service.time())
        }
        repeat {
            var item = record.item(progress.decided)
            do throws(Refusal) {
                let allowance = try endpoint.authorize(.item, for: caller, recordingIn: &item) { () throws(Problem) in
                    try progress.response.format.request(
                        at: progress.decided, limit: endpoint.snapshot.configuration.bodies.single)
                }
                if item.request.newShare != nil { throw Refusal(.shareInBatch) }
                let presigned = try endpoint.presign(
                    allowance, from: .item, for: caller, at: progress.time, recordingIn: &item,
                    using: &progress.presigner)
                progress.response.add(presigned, &item)
            } catch {
                if progress.response.format.refusesAll(error.problem) { throw error }
                item.add(error)
                progress.response.add(error, &item)
            }
            progress.decided += 1
        } while !progress.isComplete && MonotonicTime.now() < deadline
        if progress.isComplete { return progress.response }
        self.progress = progress
        return nil
    }

    /// Completes the response, after the existence checks if there are any.
    private func finish(_ response: BatchResponse) {
        if response.checks.isEmpty { return complete(response) }
        let (job, service) = (self, endpoint.service)
        BatchChecks(
            response, of: LimitKey(caller, from: record.client), limits: endpoint.snapshot.batchChecks,
            since: record.started, uptime: service.uptime
        ).resolve(with: service.existence) {
            job.complete($0)
        }
    }

    private func complete(_ response: BatchResponse) {
        let finished = deferred.complete(with: response.finished) { record in
            record.rateLimit = response.rateLimit
            record.reason = response.reason
        }
        if let finished { completion(finished) }
    }

    /// Refuses the whole batch.
    private func refuse(_ refusal: Refusal) {
        var record = record
        record.add(refusal)
        record.end(status: refusal.problem.status, at: endpoint.service.uptime())
        if record.isAudited { endpoint.writeAudit(record) }
        if let response = deferred.complete(with: refusal) { completion(response) }
    }

    private func decoded() throws(Refusal) -> any BatchFormat {
        do throws(Problem) {
            if let refusal { throw refusal }
            return try decode(body, endpoint.snapshot.configuration.bodies.batch)
        } catch {
            // A malformed batch counts as one request for the rate limit.
            let rateLimit = try endpoint.limit(caller, from: record.client, at: record.started)
            throw Refusal(error, rateLimit: rateLimit)
        }
    }
}

extension RequestRecord {
    /// Returns the record of one item of the batch.
    fileprivate func item(_ index: Int) -> RequestRecord {
        var item = self
        item.rateLimit = nil
        item.item = index
        return item
    }
}
