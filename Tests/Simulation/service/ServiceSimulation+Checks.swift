import Foundation
import HTTPServer
import Presigning
import Requests
import SocketTestSupport

@testable import AccessRulesTestSupport
@testable import PresignService
@testable import PresignServiceTestSupport

extension ServiceSimulation {
    /// Checks what has happened in an action.
    func inspect() throws {
        if let violation = server.violation { fail(violation) }
        for client in clients.compactMap(\.self) {
            while let response = try client.nextResponse() { try take(response, client) }
        }
        if buffers.used > buffers.limit { fail("\(buffers.used) bytes exceed the budget of \(buffers.limit)") }
        for place in clients.indices {
            guard let connection = clients[place]?.connection else { continue }
            if connection.session?.failure != nil { connection.close() }
            if !connection.isOpen { clients[place] = nil }
        }
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
        guard response["x-request-id"] == request.id else {
            // A request that ends before its head is read has no id of its own.
            let isFailure = response.status >= 400 && client.isLast
            return isFailure ? nil : "the response has the id \(response["x-request-id"] ?? "none")"
        }
        guard request.isAccepted else { return "the client's certificate is not accepted" }
        guard client.connection.readCount >= request.decisive else {
            return response.status >= 400 && client.isLast ? nil : "an incomplete request gets \(response.status)"
        }
        if case .health = request.question {
            return response.status == 200 ? nil : "/healthz responds with \(response.status)"
        }
        let code = response.status < 400 ? nil : try request.question.code(of: response)
        // Whatever it asks for, the service may have too much to do.
        if response.status == 503, code == "overloaded" { return nil }
        if [500, 504].contains(response.status), request.question.isDeferred {
            return complaint(aboutLate: response, to: request.question, of: client)
        }
        return try complaint(about: response, to: request, in: timeline.window(since: request.start))
    }

    /// Judges the failure of a request that waited for a check or for the queue of batches.
    private func complaint(
        aboutLate response: RawResponse, to question: Question, of client: SimulatedClient
    ) -> String? {
        if response.status == 500 {
            // With TLS, the client may read the response later. A batch ends with its last check.
            if case .presign = question, client.connection.session == nil, !isAbandoning {
                return "no check was abandoned"
            }
            return nil
        }
        // A late completion must not be taken for the response to a later request.
        return client.isLast || !response.text.contains("server.timeouts.answer") ? nil : "the connection stays open"
    }

    private func complaint(
        about response: RawResponse, to request: SimulatedClient.Request, in window: Window
    ) throws -> String? {
        switch request.question {
        case .health: return nil
        case .presign(let decision, let checksExistence):
            let judged = try window.judged(try DecisionAnswer(response))
            audit.expect(response.status, of: request.id, judged.url)
            return judged.url?.complaint(in: window)
                ?? window.complaint {
                    window.complaint(about: judged, to: decision, checksExistence: checksExistence, in: $0)
                }
        case .listing(let listing):
            let judged = try window.judged(try DecisionAnswer(response))
            audit.expect(response.status, of: request.id, judged.url)
            return judged.url?.complaint(in: window)
                ?? window.complaint { window.complaint(aboutListing: judged, to: listing, in: $0) }
        case .batch(let items, let checksExistence):
            return try complaint(about: response, toBatch: request.id, items, checksExistence, in: window)
        case .link(let decision): return try complaint(about: response, toLink: request.id, decision, in: window)
        case .upload(let upload, let decision):
            let url = try response["location"].map { try IssuedURL(location: $0, "PUT", upload.headers, in: window) }
            audit.expect(response.status, of: request.id, url)
            let code = url == nil ? try response.problem().code : nil
            return url?.complaint(in: window)
                ?? window.complaint {
                    window.complaint(about: url, response.status, code, to: upload, decision, in: $0)
                }
        case .remote(let decision):
            let headers = decision.question.headers.compactMapValues(\.first)
            let url =
                response.status == 200
                ? try IssuedURL(
                    location: RemoteAnswer(response).uri, decision.question.method, headers, in: window) : nil
            audit.expect(response.status, of: request.id, url)
            return url?.complaint(in: window)
                ?? window.complaint { window.complaint(about: url, response.status, to: decision, in: $0) }
        case .permissions(let decision):
            if response.status != 200 { audit.expect(response.status, of: request.id, nil) }
            return try window.complaint { try window.complaint(aboutPermissions: response, decision, in: $0) }
        case .makeShare(let decision):
            return try complaint(about: response, toMakingShare: request.id, decision, in: window)
        case .useShare(let use):
            let url = try response["location"].map {
                try IssuedURL(location: $0, use.method, use.headers, in: window)
            }
            audit.expect(response.status, of: request.id, url)
            return try url?.complaint(in: window)
                ?? window.complaint { try window.complaint(about: url, response, to: use, in: $0) }
        }
    }

    private func complaint(
        about response: RawResponse, toBatch id: String, _ items: [DecisionRequest], _ checksExistence: Bool,
        in window: Window
    ) throws -> String? {
        guard response.status == 200 else {
            audit.expect(response.status, of: id, nil)
            let isRejected = window.epochs.contains { $0.rejects(items[0].caller.who) }
            return response.status == 401 && isRejected ? nil : "no valid configuration refuses the batch"
        }
        let results = try response.batch().results.map { try window.judged(DecisionAnswer($0)) }
        guard results.count == items.count else { return "\(results.count) results of \(items.count) items" }
        for (index, judged) in results.enumerated() {
            audit.expect(judged.answer.status, of: id, item: index, judged.url)
            if let complaint = judged.url?.complaint(in: window) { return "item \(index): \(complaint)" }
        }
        return window.complaint { epoch in
            for (index, (judged, item)) in zip(results, items).enumerated() {
                let complaint = window.complaint(about: judged, to: item, checksExistence: checksExistence, in: epoch)
                if let complaint { return "item \(index): \(complaint)" }
            }
            return nil
        }
    }

    private func complaint(
        about response: RawResponse, toLink id: String, _ request: DecisionRequest, in window: Window
    ) throws -> String? {
        guard response.status == 307, let location = response["location"] else {
            audit.expect(response.status, of: id, nil)
            let judged = try window.judged(try DecisionAnswer(response))
            return window.complaint { window.complaint(about: judged, to: request, checksExistence: false, in: $0) }
        }
        let url = try IssuedURL(location: location, "GET", in: window)
        audit.expect(307, of: id, url)
        return url.complaint(in: window)
            ?? window.complaint { epoch in
                let verdict = epoch.verdict(on: request.naive)
                guard verdict.status == 200 else { return "the rules refuse it with \(verdict.status)" }
                return url.complaint(in: epoch, request.naive, life: verdict.expiresIn)
            }
    }

    private func complaint(
        about response: RawResponse, toMakingShare id: String, _ request: DecisionRequest, in window: Window
    ) throws -> String? {
        guard response.status == 200 else {
            audit.expect(response.status, of: id, nil)
            let answer = try DecisionAnswer(response)
            return window.complaint { epoch in
                let verdict = epoch.verdict(on: request.naive)
                let isRefused = verdict.status != 200 && answer.agrees(with: verdict, of: request.naive)
                return isRefused ? nil : "the rules decide \(verdict.status)"
            }
        }
        let minted = try JSONDecoder().decode(MintedLink.self, from: Data(response.body))
        audit.expect(200, of: id, nil, share: minted.id)
        guard let end = SigningTime(rfc3339: minted.expiresAt) else { return "the link has no end" }
        let link = ShareLink(minted, of: request, until: end)
        links.append(link)
        return window.complaint { window.complaint(about: link, to: request, in: $0) }
    }
}

extension Question {
    /// The code of a problem; for Apache Iceberg, whose clients get none, that of a 503.
    fileprivate func code(of response: RawResponse) throws -> String? {
        guard case .remote = self, let error = try? RemoteError(response).error else {
            return try response.problem().code
        }
        return response.status == 503 && !error.message.contains("credentials") ? "overloaded" : nil
    }

    /// Whether the response can wait for a check or for the queue of batches.
    fileprivate var isDeferred: Bool {
        switch self {
        case .presign(_, let checksExistence): checksExistence
        case .batch: true
        default: false
        }
    }
}
