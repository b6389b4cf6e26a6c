import HTTPServer
import ObjectExistence
import SocketTestSupport

@testable import AccessRulesTestSupport
@testable import PresignServiceTestSupport

extension ServiceSimulation {
    /// Checks what has happened in a step.
    func inspect() throws {
        if let violation = server.violation { fail(violation) }
        for client in clients {
            while let response = try client.nextResponse() { try take(response, client) }
        }
        if buffers.used > buffers.limit { fail("\(buffers.used) bytes exceed the budget of \(buffers.limit)") }
        for client in clients where client.connection.session?.failure != nil { client.connection.close() }
        clients.removeAll { !$0.connection.isOpen }
    }

    private func take(_ response: RawResponse, _ client: SimulatedClient) throws {
        statuses[response.status, default: 0] += 1
        if client.isLast { return fail("a response after the last one") }
        client.isLast = response["connection"] == "close"
        guard client.answered < client.requests.count else { return fail("a response without a request") }
        let request = client.requests[client.answered]
        client.answered += 1
        note("\(request.id): \(response.status)\(client.isLast ? ", close" : "")")
        if let complaint = try complaint(about: response, to: request, of: client) {
            fail("\(request.id): \(complaint)\n\(response.text)")
        }
    }

    private func complaint(
        about response: RawResponse, to request: SimulatedClient.Request, of client: SimulatedClient
    ) throws -> String? {
        let isComplete = client.connection.readCount >= request.bytes.upperBound
        guard response["x-request-id"] == request.id else {
            // A request that ends before its head is read has no id of its own.
            let isFailure = response.status >= 400 && client.isLast
            return isFailure ? nil : "the response has the id \(response["x-request-id"] ?? "none")"
        }
        guard request.isAccepted else { return "the client's certificate is not accepted" }
        guard case .presign(let decision, let checksExistence) = request.kind else {
            return response.status == 200 ? nil : "/healthz responds with \(response.status)"
        }
        guard isComplete else {
            return response.status >= 400 && client.isLast ? nil : "an incomplete request gets \(response.status)"
        }
        let possible = epochs[(request.firstEpoch ?? 0)...]
        switch response.status {
        case 200:
            allowed.insert(request.id)
            let url = try IssuedURL(try response.presigned(), issued)
            let complaints = possible.map { url.complaint(epoch: $0, decision) }
            return complaints.contains(nil) ? nil : complaints.compactMap { $0 }.last
        case 400, 401, 403, 422:
            let agrees = possible.contains { $0.verdict(on: decision).status == response.status }
            return agrees ? nil : "no valid configuration refuses it like that"
        case 503: return nil
        case 404, 502, 504:
            // A late completion must not be taken for the response to a later request.
            if response.text.contains("server.timeouts.answer"), !client.isLast { return "the connection stays open" }
            return checksExistence ? nil : "nothing was asked of the storage"
        case 500:
            abandoned -= 1
            return abandoned >= 0 ? nil : "no check was abandoned"
        default: return "unexpected status"
        }
    }

    /// Ends everything. Whatever arrived completely has its response then.
    func finish() throws {
        note("everything that is open ends")
        server.lacksDescriptors = false
        server.advance(by: .milliseconds(100))
        try inspect()
        for _ in 0..<40 where violation == nil {
            for client in clients {
                client.connection.receive(atMost: .max)
                client.send(atMost: .max)
            }
            while checks.count > 0 { checks.take(0)(.status(200)) }
            server.settle()
            try inspect()
        }
        for client in clients where client.answered < client.requests.count && !client.isLast {
            fail("\(client.requests[client.answered].id) has no response")
        }
        if clients.contains(where: \.connection.isFinished) { fail("the end of a client's input has no effect") }
        try probe()
        for _ in 0..<4 { advanceBeyondTimeouts() }
        try inspect()
        if !clients.isEmpty { fail("\(clients.count) connections do not end") }
        clients = []
        try server.stop()
        if let violation = server.violation { fail(violation) }
        if buffers.used > 0 { fail("\(buffers.used) bytes of the budget are not returned") }
        try checkAudit()
    }

    private func advanceBeyondTimeouts() { server.advance(by: .seconds(120)) }

    /// Each decision has one line, and what was allowed is recorded as allowed.
    private func checkAudit() throws {
        let entries = try AuditEntry.all(in: audit.lines.joined(separator: "\n").utf8)
        let lines = Dictionary(grouping: entries) { $0.requestId ?? "" }
        for (id, lines) in lines where lines.count > 1 && id.hasPrefix("request-") {
            fail("\(id) has \(lines.count) lines in the audit")
        }
        for id in allowed.sorted() where lines[id]?.first?.status != 200 {
            fail("\(id) is not in the audit as allowed: \(lines[id]?.first?.status ?? 0)")
        }
    }
}
