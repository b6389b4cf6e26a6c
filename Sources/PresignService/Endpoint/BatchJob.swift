import AccessRules
import HTTP1
import HTTPServer
import Presigning
import Telemetry

/// A `POST /presign/batch` waiting on the batch queue. Each item is decided as `POST /presign` would decide it.
struct BatchJob: Sendable {
    let body: [UInt8]
    /// The problem found in the head; nil if the body may be decoded.
    let refusal: Problem?
    let caller: Caller
    /// What is known about the request so far.
    let record: RequestRecord
    let endpoint: Endpoint
    let deferred: DeferredResponse

    /// Decides the batch, runs its existence checks, and calls the completion once, on any thread; never if the request
    /// was abandoned first.
    func run(completion: @escaping @Sendable (HTTPResponse) -> Void) {
        if let result = decide() { finish(result, completion) }
    }

    /// Decides the items. A refusal applies to the whole batch; nil means that the request was abandoned in the queue.
    func decide() -> Result<BatchResponse, Refusal>? {
        guard deferred.begin() else { return nil }
        do throws(Refusal) {
            let response = try decideItems()
            guard deferred.charge?.resize(to: response.heldBytes) != false else { throw Refusal(.buffersFull) }
            return .success(response)
        } catch {
            var record = record
            record.add(error)
            endpoint.writeAudit(record, status: error.problem.status, ended: endpoint.service.uptime())
            return .failure(error)
        }
    }

    /// Completes the response, after the existence checks if there are any.
    func finish(
        _ result: Result<BatchResponse, Refusal>, _ completion: @escaping @Sendable (HTTPResponse) -> Void
    ) {
        switch result {
        case .success(let response) where response.checks.isEmpty: complete(response, completion)
        case .success(let response):
            BatchChecks(
                response, limits: endpoint.snapshot.batchChecks, since: record.started, uptime: endpoint.service.uptime
            )
            .resolve(with: endpoint.service.existence) { complete($0, completion) }
        case .failure(let refusal):
            if let response = deferred.complete(with: refusal) { completion(response) }
        }
    }

    private func complete(_ response: BatchResponse, _ completion: (HTTPResponse) -> Void) {
        let finished = deferred.complete(with: response.finished) { record in
            record.rateLimit = response.rateLimit
            record.reason = response.reason
        }
        if let finished { completion(finished) }
    }

    /// Runs limit → decode → authorize → sign for each item in order.
    private func decideItems() throws(Refusal) -> BatchResponse {
        let time = endpoint.service.time()
        let items = try decodeItems()
        var response = BatchResponse(count: items.ranges.count, endpoint)
        var presigner = Presigner()
        for (index, range) in items.ranges.enumerated() {
            var item = record.item(index)
            let outcome = endpoint.outcome(
                of: .item(body[range]), for: caller, from: item.client, at: time, item.started, using: &presigner)
            item.add(outcome, by: endpoint.snapshot.policy)
            response.add(outcome.result, item)
        }
        return response
    }

    private func decodeItems() throws(Refusal) -> BatchItems {
        do throws(Problem) {
            if let refusal { throw refusal }
            return try BatchItems(body[...], limit: endpoint.snapshot.bodies.batch)
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
        item.audit?.item = index
        return item
    }
}
