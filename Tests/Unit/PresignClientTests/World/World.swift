import Foundation

@testable import PresignClient

/// A service and a storage without a network, for responses that real servers do not give on demand. Delays between
/// attempts take no time.
final class World: HTTPTransport {
    /// A request to the storage.
    struct Sent: Sendable {
        let method: String
        let path: String
        let query: [String: String]
        let headers: [String: String]
        let size: Int64

        var isPart: Bool { query["partNumber"] != nil }
        var isCompletion: Bool { method == "POST" && query["uploadId"] != nil }
    }

    struct State: Sendable {
        var objects: [String: Data] = [:]
        /// The parts of multipart uploads, by upload id and number.
        var uploads: [String: [Int: Data]] = [:]
        var sent: [Sent] = []
        /// The fields of requests to the service, and the paths of those for permissions.
        var signed: [SignRequest] = []
        /// The parts in each batch.
        var batches: [[Int]] = []
        var asked: [String] = []
        var uploadCount = 0
        /// The delays between attempts in seconds.
        var delays: [TimeInterval] = []
        /// Requests that are sending, and the most at one time.
        var sending = 0
        var most = 0
    }

    /// What tests replace.
    struct Hooks: Sendable {
        /// The member `actions` of the response to `GET /permissions`: small files are sent in parts.
        var actions = #"{"get": {}, "write": {"maxSize": 270000}, "multipart": {"partSize": 300000}}"#
        /// Returns a response instead of the usual one, or throws like a broken network.
        var onService: @Sendable (HTTPRequest) async throws -> HTTPResponse? = { _ in nil }
        /// Returns the status and the members of a problem instead of a URL.
        var refusal: @Sendable (SignRequest) -> (status: Int, members: String)? = { _ in nil }
        /// Returns a response instead of the usual one, before the storage has performed the request.
        var beforeStorage: @Sendable (Sent) async throws -> HTTPResponse? = { _ in nil }
        /// The same, after it has.
        var afterStorage: @Sendable (Sent) async throws -> HTTPResponse? = { _ in nil }
    }

    let state = Locked(State())
    let hooks = Locked(Hooks())

    var sent: [Sent] { state.with { $0.sent } }
    var objects: [String: Data] { state.with { $0.objects } }

    func sent(_ method: String) -> [Sent] { sent.filter { $0.method == method } }

    func send(
        _ request: HTTPRequest, onSent: @escaping @Sendable (Int64) -> Void, to receiver: (any HTTPReceiver)?
    ) async throws -> HTTPResponse {
        try Task.checkCancellation()
        guard request.url.host() == "storage.test" else { return try await serve(request) }
        let body = try content(of: request.body)
        let sent = Sent(request, size: Int64(body.count))
        state.with { state in
            state.sent.append(sent)
            if sent.method == "PUT" { state.sending += 1 }
            state.most = max(state.most, state.sending)
        }
        defer { if sent.method == "PUT" { state.with { $0.sending -= 1 } } }
        let before = hooks.with { $0.beforeStorage }
        if let replaced = try await before(sent) { return try deliver(replaced, to: receiver) }
        try Task.checkCancellation()
        onSent(Int64(body.count))
        let usual = state.with { $0.perform(sent, body) }
        let after = hooks.with { $0.afterStorage }
        let response = try await after(sent) ?? usual
        try Task.checkCancellation()
        return try deliver(response, to: receiver)
    }

    private func serve(_ request: HTTPRequest) async throws -> HTTPResponse {
        let hook = hooks.with { $0.onService }
        if let replaced = try await hook(request) { return replaced }
        guard case .data(let body)? = request.body else {
            let path = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems?
                .first { $0.name == "path" }?.value
            state.with { $0.asked.append(path ?? "") }
            return .json(#"{"caller": {"identity": "me"}, "actions": \#(hooks.with { $0.actions })}"#)
        }
        if request.url.path().hasSuffix("/batch") {
            let requests = try JSONDecoder().decode(BatchRequest.self, from: body).requests
            state.with { $0.batches.append(requests.compactMap(\.partNumber)) }
            let results = try requests.map { fields in
                let (status, text) = try sign(fields)
                return status == 200 ? text : #"{"error": \#(text)}"#
            }
            return .json(#"{"results": [\#(results.joined(separator: ","))]}"#)
        }
        let (status, text) = try sign(try JSONDecoder().decode(SignRequest.self, from: body))
        return .json(text, status: status)
    }

    /// Returns a signed URL or a problem.
    private func sign(_ fields: SignRequest) throws -> (status: Int, text: String) {
        if let (status, members) = hooks.with({ $0.refusal })(fields) {
            return (status, #"{"status": \#(status), \#(members)}"#)
        }
        state.with { $0.signed.append(fields) }
        return (200, String(decoding: try JSONEncoder().encode(Signed(fields)), as: UTF8.self))
    }

    private func content(of body: HTTPRequest.Body?) throws -> Data {
        switch body {
        case .data(let data): data
        case .file(let file): try Data(contentsOf: file)
        case nil: Data()
        }
    }

    private func deliver(_ response: HTTPResponse, to receiver: (any HTTPReceiver)?) throws -> HTTPResponse {
        guard let receiver, response.head.isSuccess else { return response }
        try receiver.begin(response.head)
        let half = response.body.count / 2
        for piece in [response.body.prefix(half), response.body.dropFirst(half)] where !piece.isEmpty {
            try receiver.receive(Data(piece))
        }
        if response.head["x-cut"] != nil { throw URLError(.networkConnectionLost) }
        return HTTPResponse(head: response.head, body: Data())
    }
}

extension World {
    /// The client of this world.
    ///
    /// - Parameter folder: For the records.
    func client(
        in folder: URL, concurrency: Int = 6, retries: Int? = nil,
        headers: @escaping @Sendable () async throws -> [String: String] = { ["Authorization": "Bearer key"] }
    ) throws -> PresignStorage {
        var requests = Requests(transport: self, timeout: 60, retries: retries)
        requests.sleep = { [state] seconds in
            state.with { $0.delays.append(seconds) }
            try Task.checkCancellation()
        }
        let service = PresignService(
            endpoint: try Self.endpoint, store: nil, headers: headers, requests: requests)
        return PresignStorage(service, folder: folder, concurrency: concurrency)
    }

    static var endpoint: URL {
        get throws {
            guard let url = URL(string: "https://presign.test/base") else { throw URLError(.badURL) }
            return url
        }
    }
}
