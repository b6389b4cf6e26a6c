import AccessRules
import HTTP1
import Presigning
import Telemetry

extension ServiceHandler {
    /// `POST /presign/batch`: many requests of one caller, each decided on its own as `POST /presign` would decide it.
    /// Its items are decided beside the loop, which many of them would hold up.
    func batch(_ request: HTTPRequest, _ record: inout RequestRecord) throws(Problem) -> RequestStep {
        let caller = try self.caller(of: request, at: .now(), &record)
        try checkLimit(of: caller, &record)
        let refusal =
            Problem.unreadQuery(request.query)
            ?? (BodyForm(request.headers) == .json
                ? nil : .unsupportedMediaType(request.headers, .batch, body: request.body))
        return .wait(
            QueuedBatch(
                body: Array(request.body), refusal: refusal, caller: caller, record: record.detached(), handler: self))
    }

    /// Decides a batch.
    ///
    /// - Parameter refusal: of a body that is not JSON by its headers, or of a query.
    /// - Returns: the answer, with checks that are still to be made.
    func decide(
        _ body: ArraySlice<UInt8>, refusal: Problem?, for caller: Caller, _ record: inout RequestRecord
    ) throws(Problem) -> BatchAnswer {
        let time = SigningTime.now()
        let items: BatchItems
        do throws(Problem) {
            if let refusal { throw refusal }
            items = try BatchItems(body, limit: snapshot.bodies.batch)
        } catch {
            // What is no batch counts as one request.
            try admit(caller, &record)
            throw error
        }
        var answer = BatchAnswer(
            count: items.ranges.count, requestID: record.requestID, audit: Auditor(service.audit, auditLane))
        var presigner = Presigner()
        for (index, range) in items.ranges.enumerated() {
            var itemRecord = record.item(index)
            do throws(Problem) {
                try admit(caller, &itemRecord)
                let fields = try fields(ofItem: body[range])
                answer.add(try presigned(for: caller, fields, at: time, &itemRecord, &presigner), itemRecord)
            } catch {
                itemRecord.reason = itemRecord.reason ?? error.code.text
                shard.noteRefusal(error.code)
                answer.add(error, itemRecord)
            }
            record.quota = itemRecord.quota
        }
        return answer
    }

    private func fields(ofItem text: ArraySlice<UInt8>) throws(Problem) -> PresignFields {
        guard text.count <= snapshot.bodies.single else { throw .itemTooLarge(limit: snapshot.bodies.single) }
        return try PresignFields(json: text, from: .item, limit: snapshot.bodies.single)
    }
}

extension RequestRecord {
    /// The record of one item of a batch: what is the same for all of them.
    fileprivate func item(_ index: Int) -> RequestRecord {
        var item = RequestRecord(
            requestID: requestID, method: method, path: path, peer: peer, started: started, trace: trace,
            relayed: relayed, caller: caller, audit: audit)
        item.audit?.item = index
        return item
    }
}

extension Problem {
    /// 413: an item that would be too large if it were sent alone.
    fileprivate static func itemTooLarge(limit: Int) -> Problem {
        Problem(
            413, .bodyTooLarge, "The body is too large",
            "The item has more than the \(limit) bytes that one request may have")
    }
}
