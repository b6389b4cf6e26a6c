import AccessRules
import Dispatch
import HTTP1
import HTTPServer
import Telemetry

/// A batch that waits for its turn on the service's queue.
final class QueuedBatch: PendingAnswer {
    private let body: [UInt8]
    private let refusal: Problem?
    private let caller: Caller
    private let record: RequestRecord
    private let service: Service
    private let snapshot: ServiceSnapshot
    private let auditLane: LogLane?

    /// - Parameters:
    ///   - body: a copy: the loop goes on with its buffer.
    ///   - refusal: of a body that is not JSON by its headers, or of a query.
    ///   - record: what is known of the request so far.
    ///   - handler: of the loop.
    init(
        body: [UInt8], refusal: Problem?, caller: Caller, record: consuming RequestRecord, handler: ServiceHandler
    ) {
        self.body = body
        self.refusal = refusal
        self.caller = caller
        self.record = record
        service = handler.service
        snapshot = handler.snapshot
        auditLane = handler.auditLane
    }

    var heldBytes: Int { body.count }

    func resolve(
        with existence: ExistenceCheck, for request: PendingRequest,
        completion: @escaping @Sendable (consuming LateAnswer) -> Void
    ) {
        service.batches.async {
            // Nobody waits any more for what is given up while others have their turn.
            guard request.begin() else { return }
            var record = self.record.detached()
            // This queue has a shard of its own.
            let shard = self.service.metrics.batches
            let handler = ServiceHandler(self.service, self.snapshot, shard, lane: nil, auditLane: self.auditLane)
            let answer: BatchAnswer
            do throws(Problem) {
                answer = try handler.decide(self.body[...], refusal: self.refusal, for: self.caller, &record)
                guard request.charge.resize(to: answer.heldBytes) else { throw Problem(HTTPFailure.buffersFull) }
            } catch {
                shard.noteRefusal(error.code)
                // What is no batch has no items to tell of.
                var audit = Auditor(self.service.audit, self.auditLane)
                audit?.append(record, error)
                let response = error.response(requestID: request.requestID)
                return completion(LateAnswer(response: response, code: error.code, quota: record.quota))
            }
            let (fields, quota) = (handler.jsonFields, record.quota)
            let answered: @Sendable (BatchAnswer) -> Void = { answer in
                let reason = answer.reason
                let response = HTTPResponse(status: 200, fields: fields, body: answer.closed())
                completion(LateAnswer(response: response, reason: reason, quota: quota))
            }
            if answer.checks.isEmpty { return answered(answer) }
            CheckedBatch(answer, limits: self.snapshot.batchChecks, since: record.started)
                .resolve(with: existence, completion: answered)
        }
    }
}
