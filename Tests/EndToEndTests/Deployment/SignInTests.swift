import Foundation
import SocketTestSupport
import TestSupport
import Testing

@Suite(
    "Front ends of config/ with sign-in",
    .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"),
    .program("/usr/sbin/nginx", "Debian's package nginx-light"), .program("/usr/bin/caddy", "Debian's package caddy"))
struct SignInTests {
    /// Headers with which a client may try to impersonate another caller.
    private static let forged = [
        "X-Auth-User": "root", "X-Auth-Groups": "admins", "X-Auth-Request-User": "root",
        "X-Auth-Request-Groups": "admins", "X-Forwarded-For": "192.0.2.66", "X-Proxy-Secret": "guess",
    ]
    private static let form = ["Content-Type": "application/x-www-form-urlencoded"]
    private static let origin = "https://app.example.com"

    /// A running front end and the service behind it.
    private struct Site {
        let service: PresignProcess
        let port: UInt16
        let certificate: URL

        func send(_ method: String, _ path: String, _ headers: [String: String], body: String? = nil)
            async throws -> HTTP.Response
        {
            // Over HTTP/2, Go's server resets a stream whose body it rejects unread, and curl then gets no response.
            try await Curl.send(
                method, "https://presign.example.com:\(port)\(path)", headers: headers,
                body: body.map { Data($0.utf8) }, resolve: "presign.example.com:\(port):127.0.0.1",
                authority: certificate, options: ["--http1.1"])
        }

        /// Requests a PUT URL, which guests may not have.
        func write(_ headers: [String: String], to path: String = "a") async throws -> HTTP.Response {
            let headers = SignInTests.form.merging(headers) { _, new in new }
            return try await send("POST", "/presign", headers, body: "path=\(path)&method=PUT")
        }

        /// The caller in the audit line of a request.
        func caller(of response: HTTP.Response) async throws -> AuditedCaller {
            let id = try #require(response.headers["x-request-id"])
            let line = try await found {
                try Data(contentsOf: service.requests).split(separator: 0x0A).first {
                    (try? JSONDecoder().decode(AuditedRequest.self, from: $0))?.requestId == id
                }
            }
            return try JSONDecoder().decode(AuditedCaller.self, from: try #require(line, "no line of the audit"))
        }
    }

    private struct AuditedRequest: Decodable {
        let requestId: String
    }

    private struct AuditedCaller: Decodable, Equatable {
        let event: String
        var scheme: String?
        var identity: String?
        var client: String?
    }

    private func serving(_ frontEnd: FrontEnd, _ body: (Site) async throws -> Void) async throws {
        try await withTemporaryDirectory { folder in
            let secret = folder.appending(path: "secret")
            try Data((FrontEnd.secret + "\n").utf8).write(to: secret)
            try await ConcurrencyLimit.tests.pass {
                try await Self.withSignIn { signIn in
                    try await PresignProcess.serving(
                        store: ["bucket": "b", "region": "us-east-1", "credentials": "environment"],
                        environment: ["AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "x"], guests: true,
                        auth: """
                            proxy: {from: [127.0.0.1/32], secretHeader: X-Proxy-Secret, secretFile: \(secret.path()), \
                            identity: X-Auth-User, groups: X-Auth-Groups, clientAddress: X-Forwarded-For}
                            """,
                        rules: ["editors", "admins"].map { "{path: \($0)/**, allow: {\"group:\($0)\": [write]}}" },
                        sections: "audit: {to: stdout}\nlog: {requests: false}\ncors: {origins: [\"\(Self.origin)\"]}"
                    ) { service in
                        try await frontEnd.run(before: service, signIn: signIn) { port, certificate in
                            try await body(Site(service: service, port: port, certificate: certificate))
                        }
                    }
                }
            }
        }
    }

    /// Runs the body with a replacement for oauth2-proxy; passes `host:port`.
    private static func withSignIn(_ body: (String) async throws -> Void) async throws {
        let script = Deployment.file("Tests/deployment/sign_in.py").path()
        _ = try await BackgroundProgram.run("/usr/bin/python3", [script], awaited: false) { server in
            try await body("127.0.0.1:\(try await server.firstLine())")
        }
    }

    @Test("The session's user and groups reach presign; the client's claims do not", arguments: FrontEnd.signIn)
    func sessions(frontEnd: FrontEnd) async throws {
        try await serving(frontEnd) { site in
            for claims in [[:], Self.forged] {
                for (user, editors) in [("alice", 200), ("bob", 403)] {
                    let headers = claims.merging(["Cookie": "session=\(user)"]) { _, new in new }
                    for (path, status) in [("editors/a", editors), ("admins/a", 403), ("a", 200)] {
                        let response = try await site.write(headers, to: path)
                        #expect(response.status == status, "\(user), \(path): \(response.text)")
                        guard status == 200 else { continue }
                        let expected = AuditedCaller(
                            event: "presign", scheme: "proxy", identity: user, client: "127.0.0.1")
                        #expect(try await site.caller(of: response) == expected)
                    }
                }
                // Signed in without a name: a guest.
                let unnamed = try await site.write(claims.merging(["Cookie": "session=nobody"]) { _, new in new })
                #expect(unnamed.status == 401, "\(unnamed.text)")
                #expect(try await site.caller(of: unnamed).scheme == "guest")
                // Without a session presign gets no request.
                let before = try Data(contentsOf: site.service.requests).count
                #expect(try await site.write(claims).status == 401)
                #expect(try await site.write(claims.merging(["Cookie": "session=eve"]) { _, new in new }).status == 401)
                #expect(try await site.send("GET", "/", claims).status == 401)
                #expect(try Data(contentsOf: site.service.requests).count == before)
            }
            let text = try String(contentsOf: site.service.requests, encoding: .utf8)
            #expect(!text.contains("root") && !text.contains("192.0.2.66"))
        }
    }

    @Test("API keys, tokens, preflights and /healthz need no session and get no identity", arguments: FrontEnd.signIn)
    func withoutSession(frontEnd: FrontEnd) async throws {
        try await serving(frontEnd) { site in
            let session = ["Cookie": "session=alice"]
            for claims in [[:], session, Self.forged, Self.forged.merging(session) { _, new in new }] {
                for key in [
                    ["X-API-Key": site.service.apiKey], ["Authorization": "Bearer \(site.service.apiKey)"],
                ] {
                    let response = try await site.write(claims.merging(key) { _, new in new })
                    #expect(response.status == 200, "\(response.text)")
                    let caller = try await site.caller(of: response)
                    #expect(caller.scheme == "apiKey" && caller.identity == "tester", "\(caller)")
                }
                let wrong = try await site.write(claims.merging(["Authorization": "Bearer x.y.z"]) { _, new in new })
                #expect(wrong.status == 401 && wrong.text.contains("credentials-invalid"), "\(wrong.text)")
                let preflight = try await site.send(
                    "OPTIONS", "/presign",
                    claims.merging([
                        "Origin": Self.origin, "Access-Control-Request-Method": "POST",
                        "Access-Control-Request-Headers": "content-type",
                    ]) { _, new in new })
                #expect(preflight.status == 204 && preflight.headers["access-control-allow-origin"] == Self.origin)
                #expect(try await site.send("GET", "/healthz", claims).status == 200)
                #expect(try await site.send("GET", "/readyz", claims).status == 403)
                #expect(try await site.send("GET", "/metrics", claims).status == 403)
            }
            let start = try await site.send("GET", "/oauth2/start", [:])
            #expect(start.status == 302 && start.headers["location"] == "https://accounts.example.com/")
            #expect(try await site.send("GET", "/signed-in", session).status == 404)
        }
    }
}
