import Foundation
import SocketTestSupport
import Testing

@Suite(
    "Front ends of config/ with real nginx and Caddy",
    .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"),
    .program("/usr/sbin/nginx", "Debian's package nginx-light"), .program("/usr/bin/caddy", "Debian's package caddy"))
struct ProxyFileTests {
    /// Headers with which a client may try to impersonate another caller.
    private static let forged = [
        "X-Auth-User": "root", "X-Auth-Groups": "admins", "X-Forwarded-For": "192.0.2.66", "X-Proxy-Secret": "guess",
    ]

    private func serving(_ body: (PresignProcess) async throws -> Void) async throws {
        try await withTemporaryDirectory { folder in
            let secret = folder.appending(path: "secret")
            try Data((FrontEnd.secret + "\n").utf8).write(to: secret)
            try await ConcurrencyLimit.tests.pass {
                try await PresignProcess.serving(
                    store: ["bucket": "b", "region": "us-east-1", "credentials": "environment", "links": "true"],
                    environment: ["AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "x"], guests: true,
                    auth: """
                        proxy: {from: [127.0.0.1/32], secretHeader: X-Proxy-Secret, secretFile: \(secret.path()), \
                        identity: X-Auth-User, groups: X-Auth-Groups, clientAddress: X-Forwarded-For}
                        """, body)
            }
        }
    }

    @Test(
        "Caller and client address come from the proxy; the client's own headers are removed",
        arguments: FrontEnd.plain)
    func identity(frontEnd: FrontEnd) async throws {
        try await serving { service in
            try await frontEnd.run(before: service) { port, certificate in
                let form = ["Content-Type": "application/x-www-form-urlencoded"]
                let send = { (path: String, headers: [String: String], body: String?) in
                    try await Curl.send(
                        body == nil ? "GET" : "POST", "https://presign.example.com:\(port)\(path)", headers: headers,
                        body: body.map { Data($0.utf8) }, resolve: "presign.example.com:\(port):127.0.0.1",
                        authority: certificate)
                }
                // A guest may read and only callers may write, with and without forged headers.
                for headers in [form, form.merging(Self.forged) { given, _ in given }] {
                    #expect(try await send("/presign", headers, "path=a").status == 200)
                    #expect(try await send("/presign", headers, "path=a&method=PUT").status == 401)
                    let key = headers.merging(["X-API-Key": service.apiKey]) { given, _ in given }
                    #expect(try await send("/presign", key, "path=a&method=PUT").status == 200)
                }
                // Some gateways take this spelling for the other name.
                let odd = try await send(
                    "/presign", form.merging(["X_Auth_User": "root"]) { given, _ in given }, "path=a&method=PUT")
                #expect([400, 401].contains(odd.status), "\(odd.text)")
                let lines = try String(contentsOf: service.requests, encoding: .utf8)
                #expect(lines.contains(#""client":"127.0.0.1""#))
                #expect(!lines.contains("192.0.2.66") && !lines.contains("root"))
            }
        }
    }

    @Test("Paths are forwarded unchanged, and internal routes are not reachable", arguments: FrontEnd.plain)
    func paths(frontEnd: FrontEnd) async throws {
        try await serving { service in
            try await frontEnd.run(before: service) { port, certificate in
                let paths = [
                    "/healthz", "/o/a%20b", "/o/a/b.txt", "/o/a//b", "/o/a%2Fb", "/o/../presign", "/o/%2e%2e/b",
                    "/o/a%252e",
                    "/o/r%C3%A9sum%C3%A9", "/nowhere",
                ]
                for path in paths {
                    let direct = try await Curl.send("GET", "http://\(service.address)\(path)")
                    let passed = try await Curl.send(
                        "GET", "https://presign.example.com:\(port)\(path)",
                        resolve: "presign.example.com:\(port):127.0.0.1", authority: certificate)
                    #expect(
                        passed.status == direct.status, "\(path): \(direct.status), and \(passed.status) by the proxy")
                    let place = { (response: HTTP.Response) in response.headers["location"]?.split(separator: "?").first
                    }
                    #expect(place(passed) == place(direct), "\(path)")
                }
                for path in ["/readyz", "/metrics"] {
                    let response = try await Curl.send(
                        "GET", "https://presign.example.com:\(port)\(path)",
                        resolve: "presign.example.com:\(port):127.0.0.1", authority: certificate)
                    #expect(response.status == 403, "\(path)")
                }
            }
        }
    }
}
