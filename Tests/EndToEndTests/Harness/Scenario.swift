import Foundation
import Testing

/// One S3 server, the service that signs for it, and a prefix of the bucket for this scenario only.
struct Scenario: Sendable {
    let storage: StorageServer
    let service: PresignProcess
    let prefix: String

    /// Runs the body with a service for the server.
    ///
    /// - Parameters:
    ///   - environment: The service's credentials; the server's permanent key if nil.
    ///   - store: Settings of the store to add or replace.
    ///   - guests: Whether guests may read everything.
    ///   - page: Whether the upload page and presign.js are served.
    ///   - auth: Authentication in addition to the API key, in YAML's flow style.
    ///   - rules: Rules in addition to the one for everything, in YAML's flow style.
    ///   - sections: Additional sections of the configuration, as lines of YAML.
    static func run<Value: Sendable>(
        on kind: StorageKind, environment: [String: String]? = nil, store: [String: any Sendable] = [:],
        guests: Bool = false, page: Bool = false, auth: String? = nil, rules: [String] = [], sections: String = "",
        _ body: (Scenario) async throws -> Value
    ) async throws -> Value {
        let storage = try kind.server
        let settings: [String: any Sendable] = [
            "bucket": try storage.setting("BUCKET"), "region": try storage.setting("REGION"),
            "endpoint": try storage.setting("ENDPOINT"), "addressing": "path", "default": "true",
            "credentials": "environment",
        ]
        let environment = try environment ?? storage.credentials
        return try await ConcurrencyLimit.tests.pass {
            try await PresignProcess.serving(
                store: settings.merging(store) { _, given in given }, environment: environment, guests: guests,
                page: page, auth: auth, rules: rules, sections: sections
            ) { service in
                try await body(Scenario(storage: storage, service: service, prefix: "e2e-\(UUID().uuidString)/"))
            }
        }
    }

    /// Sends `POST /presign` and returns any response. The path gets the scenario's prefix.
    func ask(_ method: String, _ path: String, _ fields: [String: any Sendable] = [:]) async throws -> HTTP.Response {
        let body = fields.merging(["method": method, "path": prefix + path]) { given, _ in given }
        return try await HTTP.presign(body, at: "http://\(service.address)", key: service.apiKey)
    }

    /// Sends `POST /presign` and expects a URL.
    func grant(_ method: String, _ path: String, _ fields: [String: any Sendable] = [:]) async throws -> Grant {
        let response = try await ask(method, path, fields)
        try #require(response.status == 200, "\(method) \(path): \(response.text)")
        return try JSONDecoder().decode(Grant.self, from: response.body)
    }

    /// Uploads with a URL.
    func put(_ text: String, at path: String, _ fields: [String: any Sendable] = [:]) async throws {
        let response = try await grant("PUT", path, fields).send(Data(text.utf8))
        try #require(response.status == 200, "PUT \(path): \(response.text)")
    }

    /// Downloads with a URL and returns any response.
    func get(_ path: String) async throws -> HTTP.Response {
        try await grant("GET", path).send()
    }
}

/// The service's response: a URL and the required headers.
struct Grant: Decodable, Sendable {
    var url: String
    var method: String
    var headers: [String: String]
    let key: String
    let expiresIn: Int

    /// Sends the granted request, with the length of the body.
    func send(_ body: Data? = nil) async throws -> HTTP.Response {
        try await HTTP.send(method, url, headers: headers.filter { $0.key != "content-length" }, body: body)
    }
}
