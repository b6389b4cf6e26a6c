import Foundation
import SocketTestSupport
import TestSupport
import Testing

/// `presign serve` with an identity provider that the test controls.
@Suite("Fetching issuers' keys while the service runs", .enabled(if: PresignProcess.binary != nil))
struct IssuerKeyTests {
    private static let a = TokenFixture.rsa.jwk(#","kid":"a""#)
    private static let b = TokenFixture.other.jwk(#","kid":"b""#)

    /// A provider with these keys, found by discovery.
    private static func serve(_ keys: [String], on endpoint: FakeEndpoint) {
        let base = "http://127.0.0.1:\(endpoint.port)"
        endpoint.change { request in
            request.target == "/keys"
                ? [.response(200, TokenFixture.set(keys))]
                : [.response(200, #"{"issuer":"\#(base)","jwks_uri":"\#(base)/keys"}"#)]
        }
    }

    private static func serving(
        _ endpoint: FakeEndpoint, _ body: (PresignProcess) async throws -> Void
    ) async throws {
        let issuer = "name: users, issuer: 'http://127.0.0.1:\(endpoint.port)', audience: api"
        try await ConcurrencyLimit.tests.pass {
            try await PresignProcess.serving(
                store: ["bucket": "acme-media", "region": "eu-west-1", "default": "true"],
                environment: ["AWS_ACCESS_KEY_ID": "AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret"],
                auth: "jwt: [{\(issuer), algorithms: [RS256], discovery: true}]", body)
        }
    }

    /// The status for a token with this key id.
    private static func status(
        _ kid: String, by key: SigningKey, _ endpoint: FakeEndpoint, _ service: PresignProcess
    ) async throws -> HTTP.Response {
        let now = Int(Date().timeIntervalSince1970)
        let token = TokenFixture.token(
            header: #"{"alg":"RS256","kid":"\#(kid)"}"#, ["iat": "\(now)", "exp": "\(now + 600)"],
            iss: "http://127.0.0.1:\(endpoint.port)", by: .key(key))
        return try await HTTP.send(
            "POST", "http://\(service.address)/presign",
            headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"],
            body: Data(#"{"path":"a"}"#.utf8))
    }

    private func log(of service: PresignProcess) throws -> String {
        try String(contentsOf: service.log, encoding: .utf8)
    }

    @Test("Keys are found by discovery, and check-config --online fetches them")
    func discovery() async throws {
        let endpoint = try FakeEndpoint { _ in [] }
        Self.serve([Self.a, Self.b], on: endpoint)
        try await Self.serving(endpoint) { service in
            let isAccepted = try await eventually {
                try await Self.status("a", by: TokenFixture.rsa, endpoint, service).status == 200
            }
            #expect(isAccepted)
            #expect(try await Self.status("b", by: TokenFixture.rsa, endpoint, service).status == 401)
            #expect(try await HTTP.send("GET", "http://\(service.address)/readyz").status == 200)
            // The line follows the use of the keys.
            #expect(try await eventually { try log(of: service).contains(#""added":"a b""#) })
            let file = service.configuration.path()
            let count = endpoint.requests.count
            let offline = try await service.run(["check-config", file])
            #expect(offline.status == 0 && offline.output.contains("tokens of users: keys from http://127.0.0.1:"))
            #expect(endpoint.requests.count == count)
            let online = try await service.run(["check-config", "--online", file])
            #expect(online.status == 0 && online.output.contains("tokens of users: fetched keys a b"), "\(online)")
            endpoint.change { _ in [.response(302, fields: ["Location: https://evil.example/"])] }
            let failed = try await service.run(["check-config", "--online", file])
            #expect(failed.status == 1 && failed.output.contains(": valid"))
            #expect(failed.errors.contains("auth.jwt users: ") && failed.errors.contains("is redirected (status 302)"))
            #expect(try await Self.status("a", by: TokenFixture.rsa, endpoint, service).status == 200)
        }
    }

    @Test("A reload keeps the keys of an issuer that stays, and fetches those of a new one")
    func reload() async throws {
        let (endpoint, other) = (try FakeEndpoint { _ in [] }, try FakeEndpoint { _ in [] })
        Self.serve([Self.a], on: endpoint)
        Self.serve([Self.b], on: other)
        try await Self.serving(endpoint) { service in
            let isAccepted = try await eventually {
                try await Self.status("a", by: TokenFixture.rsa, endpoint, service).status == 200
            }
            #expect(isAccepted)
            let count = endpoint.requests.count
            let text = try String(contentsOf: service.configuration, encoding: .utf8)
            let more =
                "jwt: [{name: more, issuer: 'http://127.0.0.1:\(other.port)', audience: api, algorithms: [RS256], discovery: true}, "
            try Data(text.replacing("jwt: [", with: more).utf8).write(to: service.configuration)
            let isFollowed = try await eventually(within: .seconds(60)) {
                try await Self.status("b", by: TokenFixture.other, other, service).status == 200
            }
            #expect(isFollowed)
            #expect(try await Self.status("a", by: TokenFixture.rsa, endpoint, service).status == 200)
            #expect(endpoint.requests.count == count)
        }
    }

    @Test("The example configurations with an identity provider are valid as they are", arguments: ["saas", "web-app"])
    func examples(name: String) async throws {
        let file = Deployment.file("config/\(name).yaml").path()
        let check = try await Command.run(try #require(PresignProcess.binary), ["check-config", file])
        #expect(check.status == 0 && check.output.contains(": keys from https://"), "\(check)")
    }

    @Test("A provider that does not respond delays no request and no other caller; its tokens get 503 until it does")
    func outage() async throws {
        let endpoint = try FakeEndpoint { _ in [.response(500)] }
        try await Self.serving(endpoint) { service in
            let refused = try await Self.status("a", by: TokenFixture.rsa, endpoint, service)
            #expect(refused.status == 503 && refused.text.contains("issuer-keys-unavailable"))
            #expect((1...60).contains(Int(refused.headers["retry-after"] ?? "") ?? 0))
            let key = try await HTTP.send(
                "POST", "http://\(service.address)/presign",
                headers: ["X-API-Key": service.apiKey, "Content-Type": "application/json"],
                body: Data(#"{"path":"a"}"#.utf8))
            #expect(key.status == 200)
            #expect(try await eventually { try log(of: service).contains("issuer-keys-failed") })
            Self.serve([Self.a], on: endpoint)
            let isAccepted = try await eventually(within: .seconds(60)) {
                try await Self.status("a", by: TokenFixture.rsa, endpoint, service).status == 200
            }
            #expect(isAccepted)
            #expect(try await eventually { try log(of: service).contains(#""event":"issuer-keys""#) })
        }
    }
}
