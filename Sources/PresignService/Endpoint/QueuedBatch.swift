import Dispatch
import HTTPServing

/// A batch that waits for its turn on the service's queue.
final class QueuedBatch: PendingAnswer {
    private let body: [UInt8]
    private let isJSON: Bool
    private let caller: Caller
    private let record: RequestRecord
    private let service: Service
    private let snapshot: ServiceSnapshot
    private let buffer: LogLineBuffer
    private let shard: MetricShard

    /// - Parameters:
    ///   - body: a copy: the loop goes on with its buffer.
    ///   - isJSON: what the headers say of the body.
    ///   - record: what is known of the request so far.
    ///   - snapshot: what the request is answered by.
    ///   - buffer: for lines of the audit.
    ///   - shard: of the loop.
    init(
        body: [UInt8], isJSON: Bool, caller: Caller, record: consuming RequestRecord, service: Service,
        snapshot: ServiceSnapshot, buffer: LogLineBuffer, shard: MetricShard
    ) {
        self.body = body
        self.isJSON = isJSON
        self.caller = caller
        self.record = record
        self.service = service
        self.snapshot = snapshot
        self.buffer = buffer
        self.shard = shard
    }

    func resolve(
        with existence: ExistenceCheck, for requestID: RequestID,
        completion: @escaping @Sendable (consuming LateAnswer) -> Void
    ) {
        service.batches.async {
            var record = self.record.detached()
            var handler = ServiceHandler(self.service, self.snapshot, self.buffer, self.shard)
            let answer: BatchAnswer
            do throws(Problem) {
                answer = try handler.decide(self.body[...], isJSON: self.isJSON, for: self.caller, &record)
            } catch {
                self.shard.noteRefusal(error.code)
                return completion(
                    LateAnswer(response: error.response(requestID: requestID), reason: error.code, quota: record.quota))
            }
            let (fields, quota) = (self.service.jsonFields, record.quota)
            let answered: @Sendable (BatchAnswer) -> Void = { answer in
                let reason = answer.reason
                let response = HTTPResponse(status: 200, fields: fields, body: answer.closed())
                completion(LateAnswer(response: response, reason: reason, quota: quota, isAudited: true))
            }
            if answer.checks.isEmpty { return answered(answer) }
            CheckedBatch(answer, limits: self.snapshot.batchChecks, since: record.started)
                .resolve(with: existence, completion: answered)
        }
    }
}
