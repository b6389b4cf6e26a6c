import Foundation
import TestSupport
import Testing

/// A front end of `config/`, with other addresses and files in it.
enum FrontEnd: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case nginx, caddy

    var testDescription: String { rawValue }

    private var program: String { self == .nginx ? "/usr/sbin/nginx" : "/usr/bin/caddy" }
    private var file: URL { Deployment.file("config/\(self == .nginx ? "nginx.conf" : "Caddyfile")") }
    static let secret = "0123456789abcdef-of-the-front-end"

    /// Writes the configuration, so that only addresses and files differ from the one of `config/`.
    private func configuration(in folder: URL, _ port: UInt16, _ service: String) throws -> URL {
        var text = try String(contentsOf: file, encoding: .utf8)
        let replacements: [(String, String)] =
            switch self {
            case .nginx:
                [
                    ("    listen [::]:443 ssl;\n", ""), ("443", "127.0.0.1:\(port)"), ("127.0.0.1:8080", service),
                    ("/etc/ssl/presign/fullchain.pem", folder.appending(path: "certificate").path()),
                    ("/etc/ssl/presign/privkey.pem", folder.appending(path: "key").path()),
                    ("/etc/nginx/presign-secret.conf", folder.appending(path: "secret.conf").path()),
                ]
            case .caddy:
                [
                    (
                        "presign.example.com {",
                        """
                        presign.example.com:\(port) {
                        \tbind 127.0.0.1
                        \ttls \(folder.appending(path: "certificate").path()) \(folder.appending(path: "key").path())
                        """
                    ), ("127.0.0.1:8080", service),
                ]
            }
        for (old, new) in replacements {
            try #require(text.contains(old), "\(file.lastPathComponent) has no \(old)")
            text = text.replacing(old, with: new)
        }
        if self == .nginx {
            let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
                .map { "\($0)_temp_path \(folder.path())/\($0);" }.joined(separator: " ")
            text =
                "daemon off; master_process off; pid \(folder.path())/pid; events {} "
                + "http { access_log off; \(temporary)\n\(text)}\n"
        } else {
            text = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n" + text
        }
        let secret = "proxy_set_header X-Proxy-Secret \"\(Self.secret)\";\n"
        try Data(secret.utf8).write(to: folder.appending(path: "secret.conf"))
        let configuration = folder.appending(path: "configuration")
        try Data(text.utf8).write(to: configuration)
        return configuration
    }

    private func arguments(_ configuration: URL, _ folder: URL, checks: Bool) -> [String] {
        switch self {
        case .nginx: (checks ? ["-t", "-q"] : []) + ["-p", folder.path(), "-e", "stderr", "-c", configuration.path()]
        case .caddy: [checks ? "validate" : "run", "--config", configuration.path(), "--adapter", "caddyfile"]
        }
    }

    /// Runs the body beside the front end; it gets the port, and the certificate's file.
    func run(before service: PresignProcess, _ body: (UInt16, URL) async throws -> Void) async throws {
        try await withTemporaryDirectory { folder in
            let certificate = folder.appending(path: "certificate")
            let made = try await Command.run(
                "/usr/bin/openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", "/CN=presign", "-addext", "subjectAltName=DNS:presign.example.com", "-keyout",
                    folder.appending(path: "key").path(), "-out", certificate.path(),
                ])
            try #require(made.status == 0, "\(made.errors)")
            let environment = ["PRESIGN_PROXY_SECRET": Self.secret, "HOME": folder.path()]
            let port = UInt16.random(in: 20000..<32000)
            let configuration = try configuration(in: folder, port, service.address)
            // Caddy takes the file as it is; what was changed above it would call unformatted.
            let check = try await Command.run(
                program, arguments(self == .nginx ? configuration : file, folder, checks: true),
                environment: environment)
            #expect(check.status == 0, "\(check)")
            let words = check.errors.lowercased()
            #expect(!words.contains("[warn]") && !words.contains(#""level":"warn""#), "\(check)")
            _ = try await Neighbour.run(
                program, arguments(configuration, folder, checks: false), environment: environment, awaited: false
            ) { proxy in
                let deadline = ContinuousClock.now + .seconds(10)
                while (try? RawClient(port: port)) == nil, ContinuousClock.now < deadline {
                    try #require(proxy.process.isRunning, "the proxy ended")
                    try await Task.sleep(for: .milliseconds(10))
                }
                try await body(port, certificate)
            }
        }
    }
}

@Suite(
    "The front ends of config/, with real nginx and Caddy",
    .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"),
    .program("/usr/sbin/nginx", "Debian's package nginx-light"), .program("/usr/bin/caddy", "Debian's package caddy"))
struct ProxyFileTests {
    /// What a client may send to pass for somebody else.
    private static let lies = [
        "X-Auth-User": "root", "X-Auth-Groups": "admins", "X-Forwarded-For": "192.0.2.66", "X-Proxy-Secret": "guess",
    ]

    private func serving(_ body: (PresignProcess) async throws -> Void) async throws {
        try await withTemporaryDirectory { folder in
            let secret = folder.appending(path: "secret")
            try Data((FrontEnd.secret + "\n").utf8).write(to: secret)
            try await Turnstile.tests.pass {
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
        "The proxy alone says who calls and from where; what a client says of that is gone",
        arguments: FrontEnd.allCases)
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
                // A guest may read, and only callers may write: with lies or without.
                for headers in [form, form.merging(Self.lies) { given, _ in given }] {
                    #expect(try await send("/presign", headers, "path=a").status == 200)
                    #expect(try await send("/presign", headers, "path=a&method=PUT").status == 401)
                    let key = headers.merging(["X-API-Key": service.apiKey]) { given, _ in given }
                    #expect(try await send("/presign", key, "path=a&method=PUT").status == 200)
                }
                // Spelt so that some gateways take it for the other name.
                let odd = try await send(
                    "/presign", form.merging(["X_Auth_User": "root"]) { given, _ in given }, "path=a&method=PUT")
                #expect([400, 401].contains(odd.status), "\(odd.text)")
                let lines = try String(contentsOf: service.requests, encoding: .utf8)
                #expect(lines.contains(#""client":"127.0.0.1""#))
                #expect(!lines.contains("192.0.2.66") && !lines.contains("root"))
            }
        }
    }

    @Test("Paths go on as they came, and what is not for the world stays inside", arguments: FrontEnd.allCases)
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
                    let place = { (answer: Curl.Answer) in answer.headers["location"]?.split(separator: "?").first }
                    #expect(place(passed) == place(direct), "\(path)")
                }
                for path in ["/readyz", "/metrics"] {
                    let answer = try await Curl.send(
                        "GET", "https://presign.example.com:\(port)\(path)",
                        resolve: "presign.example.com:\(port):127.0.0.1", authority: certificate)
                    #expect(answer.status == 403, "\(path)")
                }
            }
        }
    }
}
