import Foundation

/// Requests to the presign service.
struct PresignService: Sendable {
    let endpoint: URL
    let store: String?
    let headers: @Sendable () async throws -> [String: String]
    let requests: Requests

    /// Requests one URL. Signing changes nothing, so it is safe to repeat.
    func sign(_ request: SignRequest, waiting: Waiting) async throws -> SignedRequest {
        let body = try JSONEncoder().encode(inStore(request))
        let (response, requestedAt) = try await send("POST", endpoint.appending(path: "presign"), body, waiting)
        return SignedRequest(try decode(SignResponse.self, response), requestedAt: requestedAt)
    }

    /// Requests several URLs at once. Returns a URL or a failure for each.
    func sign(_ requests: [SignRequest], waiting: Waiting) async throws -> [Result<SignedRequest, StorageFailure>] {
        let body = try JSONEncoder().encode(BatchRequest(requests: requests.map(inStore)))
        let (response, requestedAt) = try await send("POST", endpoint.appending(path: "presign/batch"), body, waiting)
        let results = try decode(BatchResponse.self, response).results
        guard results.count == requests.count else {
            throw StorageFailure.notPresign(endpoint, status: response.status)
        }
        return results.map { result in
            switch result {
            case .signed(let response): .success(SignedRequest(response, requestedAt: requestedAt))
            case .refused(let problem): .failure(.service(problem, status: problem.status ?? 0))
            }
        }
    }

    /// Returns what the caller may do at a path.
    func permissions(at path: String, waiting: Waiting) async throws -> Permissions {
        let response = try await askPermissions([URLQueryItem(name: "path", value: path)], waiting)
        guard let actions = response.actions else { throw StorageFailure.notPresign(endpoint, status: 200) }
        return actions
    }

    /// Returns the value of `{identity}` in the access rules; nil if the caller has none.
    func identity(waiting: Waiting) async throws -> String? {
        try await askPermissions([], waiting).caller.identity
    }

    /// The endpoint and the store, which together tell uploads to different targets apart.
    var id: String { "\(endpoint.absoluteString) \(store ?? "")" }

    private func inStore(_ request: SignRequest) -> SignRequest {
        var request = request
        request.store = store
        return request
    }

    private func askPermissions(_ items: [URLQueryItem], _ waiting: Waiting) async throws -> PermissionsResponse {
        let all = items + (store.map { [URLQueryItem(name: "store", value: $0)] } ?? [])
        var url = endpoint.appending(path: "permissions")
        if !all.isEmpty { url.append(queryItems: all) }
        return try decode(PermissionsResponse.self, try await send("GET", url, nil, waiting).response)
    }

    private func send(
        _ method: String, _ url: URL, _ body: Data?, _ waiting: Waiting
    ) async throws -> (response: HTTPResponse, requestedAt: ContinuousClock.Instant) {
        var schedule = RetrySchedule(retries: waiting.retries ?? requests.retries)
        while true {
            do {
                let requestedAt = requests.now()
                var response = try await attempt(method, url, body)
                // The next headers can have a new token.
                if response.status == 401 { response = try await attempt(method, url, body) }
                guard response.head.isSuccess else { throw StorageFailure.service(response, endpoint: endpoint) }
                requests.reached.add(endpoint.origin)
                return (response, requestedAt)
            } catch let failure as StorageFailure {
                try await requests.pause(
                    after: failure, &schedule, isReached: requests.reached.contains(endpoint.origin), waiting)
            }
        }
    }

    private func attempt(_ method: String, _ url: URL, _ body: Data?) async throws -> HTTPResponse {
        var fields: [String: String]
        do {
            fields = try await headers()
        } catch {
            try Task.checkCancellation()
            throw StorageFailure(
                source: .authorization, code: .authorizationFailed,
                detail: "the headers for the service are not available: \(error.localizedDescription)", cause: error)
        }
        fields["Accept"] = "application/json"
        if body != nil { fields["Content-Type"] = "application/json" }
        let request = HTTPRequest(
            method: method, url: url, headers: fields, body: body.map { .data($0) }, timeout: requests.timeout)
        return try await requests.send(request, server: "presign service")
    }

    /// The response may come from a proxy.
    private func decode<Value: Decodable>(_ type: Value.Type, _ response: HTTPResponse) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: response.body)
        } catch {
            throw StorageFailure.notPresign(endpoint, status: response.status)
        }
    }
}

extension PresignService {
    /// Returns the path as a text. One with the caller's identity asks the service for it.
    func resolve(_ path: any StoragePath) async throws -> String {
        if path is StringStoragePath { return path.resolve("") }
        if let identity = try await identity(waiting: .limited) { return path.resolve(identity) }
        throw StorageFailure(
            source: .service, code: .credentialsMissing, status: 401,
            detail: "the service knows no identity of the caller",
            recoverySuggestion: "Sign in, or use .fromString.")
    }
}
