import HTTP1
import HTTPServer
import System
import Telemetry

/// One event loop's side of the service: it owns what is used again for each request, which so needs no lock, and has
/// requests answered by the snapshot of now.
struct ServiceLoop: HTTPHandler {
    private let service: Service
    /// Answers by the snapshot of that version.
    private var handler: ServiceHandler
    private var version: Int
    private var requestIDs: RequestIDSource
    private var bench = Workbench()

    init(_ service: Service, loop: Int) {
        self.service = service
        let (snapshot, version) = service.currentSnapshot()
        handler = ServiceHandler(
            service, snapshot, service.metrics.makeShard(), lane: service.requestLog?.makeLane(),
            auditLane: service.audit?.makeLane())
        self.version = version
        requestIDs = RequestIDSource(start: service.requestIDStart + "\(loop)")
    }

    /// Every request takes its snapshot first. One whose body is still on its way when the configuration changes takes
    /// another when it is whole: then its decision is made, by that one alone.
    private mutating func takeSnapshot() {
        guard !service.isCurrent(version) else { return }
        let (snapshot, version) = service.currentSnapshot()
        handler = ServiceHandler(
            service, snapshot, handler.shard, lane: handler.lane, auditLane: handler.auditLane)
        self.version = version
    }

    /// What the head alone decides is answered before a body is waited for.
    mutating func body(for head: HTTPRequest) -> HTTPBodyDecision {
        takeSnapshot()
        let handler = handler
        let route = handler.offeredRoute(of: head)
        let limit = handler.snapshot.bodies.limit(of: route)
        do throws(Problem) {
            try route.check(head.method)
            guard route.takesBody, head.method == .post,
                head.headers.contains(.expect) || handler.snapshot.bodies.isLarge(head, for: route)
            else { return .read(limit: limit) }
        } catch {
            return .refuse(refusal(of: head, error, record(of: head), handler))
        }
        // A client that asks before it sends is told everything it can be told; and a large body is kept for callers only.
        var record = record(of: head)
        do throws(Problem) {
            try handler.admitBody(of: head, &record)
            return .read(limit: limit)
        } catch {
            return .refuse(refusal(of: head, error, record, handler))
        }
    }

    mutating func respond(to request: HTTPRequest, deferral: HTTPDeferral) -> HTTPResponse? {
        takeSnapshot()
        let handler = handler
        var record = record(of: request)
        do throws(Problem) {
            switch try handler.step(for: request, &record, &bench) {
            case .answer(let response):
                return handler.finish(response, &record, for: handler.origin(of: request), at: &bench.time)
            case .wait(let pending):
                guard let charge = deferral.charge(pending.heldBytes) else { throw Problem(HTTPFailure.buffersFull) }
                let origin = handler.origin(of: request)
                wait(for: pending, PendingRequest(record, from: origin, handler, charge: charge), deferral)
                return nil
            }
        } catch {
            record.reason = record.reason ?? error.code.text
            record.audit?.note(error)
            handler.shard.noteRefusal(error.code)
            let response = error.response(requestID: record.requestID)
            return handler.finish(response, &record, for: handler.origin(of: request), at: &bench.time)
        }
    }

    private func wait(for pending: any PendingAnswer, _ request: PendingRequest, _ deferral: HTTPDeferral) {
        deferral.otherwise { request.refuse($0) }
        pending.resolve(with: service.existence, for: request) { late in
            if let answer = request.finish(late) { deferral.complete(with: answer) }
        }
    }

    mutating func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse {
        takeSnapshot()
        let handler = handler
        guard let head = request.head else {
            let record = RequestRecord(
                requestID: requestIDs.next(), method: request.method, path: request.path, peer: request.peer,
                started: request.began ?? .now())
            return refusal(failure, record, for: nil, handler)
        }
        var record = record(of: head)
        record.isLogged = !request.isToldOf
        // As much of it was received as a request may have: it counts as one.
        if failure == .bodyTooLarge, ServiceHandler.isDecision(head) { handler.noteTooLarge(head, &record) }
        return refusal(failure, record, for: handler.origin(of: head), handler)
    }

    private mutating func refusal(
        _ failure: HTTPFailure, _ record: consuming RequestRecord, for origin: ArraySlice<UInt8>?,
        _ handler: ServiceHandler
    ) -> HTTPResponse {
        record.reason = failure.reason
        var problem = Problem(failure)
        if failure == .bodyTooLarge {
            problem.recoverySuggestion = "Send at most \(handler.snapshot.bodies.limit(of: record.route)) bytes."
        }
        // What is refused under load is counted by the server: one answer made here may go out many times.
        record.isCounted = ![.overloaded, .tooManyConnections, .buffersFull].contains(failure)
        if record.isCounted { handler.shard.noteRefusal(problem.code) }
        let response = problem.response(requestID: record.requestID)
        return handler.finish(response, &record, for: origin, at: &bench.time)
    }

    /// The answer to a request of which only the head was looked at.
    private mutating func refusal(
        of head: HTTPRequest, _ problem: Problem, _ record: consuming RequestRecord, _ handler: ServiceHandler
    ) -> HTTPResponse {
        record.reason = record.reason ?? problem.code.text
        if ServiceHandler.isDecision(head) { handler.beginAudit(of: head, &record) }
        record.audit?.note(problem)
        handler.shard.noteRefusal(problem.code)
        let response = problem.response(requestID: record.requestID)
        return handler.finish(response, &record, for: handler.origin(of: head), at: &bench.time)
    }

    private mutating func record(of request: borrowing HTTPRequest) -> RequestRecord {
        RequestRecord(
            requestID: requestIDs.next(given: request.headers.first(.requestID)), method: request.method,
            path: request.path, peer: request.peer, started: request.received,
            trace: request.headers.contains(.traceParent) ? TraceContext(request.headers) : nil,
            route: handler.offeredRoute(of: request))
    }

    /// Orchestrators kill a process that does not answer for its life, and take one that is not ready out of service: being
    /// busy is no reason for either. A preflight costs nothing, and without its answer a page never learns of the rest.
    func mustAnswer(_ request: HTTPRequest) -> Bool {
        request.hasPath("/healthz") || request.hasPath("/readyz") || request.method == .options
    }
}
