import Foundation
import TestSupport
import Testing

@Suite("Metrics of the running command", .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct MetricsTests {
    private static let storage = ["bucket": "acme-media", "region": "eu-west-1", "credentials": "environment"]
    private static let environment = [
        "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "an example's secret",
        "AWS_SESSION_TOKEN": "TOKEN", "AWS_CREDENTIAL_EXPIRATION": "2199-01-01T00:00:00Z",
    ]

    private static func serving<Value: Sendable>(
        server: String? = nil, auth: String? = nil, sections: String = "",
        _ body: (PresignProcess) async throws -> Value
    ) async throws -> Value {
        try await ConcurrencyLimit.tests.pass {
            try await PresignProcess.serving(
                store: storage, environment: environment, guests: true, server: server, auth: auth, sections: sections,
                body)
        }
    }

    @Test("promtool reports nothing, whatever was requested before")
    func exposition() async throws {
        try await Self.serving(sections: "audit: {to: stdout}") { service in
            for path in ["/presign", "/presign/batch", "/o/a", "/healthz", "/nowhere", "/metrics"] {
                for method in ["GET", "HEAD", "POST", "OPTIONS"] {
                    _ = try await HTTP.send(method, "http://\(service.address)\(path)", body: nil)
                }
            }
            let response = try await HTTP.send("GET", "http://\(service.address)/metrics")
            #expect(response.status == 200)
            #expect(response.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(response.text.contains(#"presign_http_requests_total{route="/presign",status="405"} 2"#))
            guard let promtool = Promtool.path else { return }
            let check = try await Command.run(promtool, ["check", "metrics"], input: response.body)
            #expect(check.status == 0 && check.output.isEmpty && check.errors.isEmpty, "\(check)")
        }
    }

    @Test("With metrics.listen they are available there only, and nothing else is")
    func ownAddress() async throws {
        try await Self.serving(sections: #"metrics: {listen: "127.0.0.1:0"}"#) { service in
            let address = try #require(try await service.address(of: "metrics-listening"))
            #expect(address != service.address)
            #expect(try await HTTP.send("GET", "http://\(service.address)/metrics").status == 404)
            _ = try await HTTP.send("GET", "http://\(service.address)/healthz")
            let response = try await HTTP.send("GET", "http://\(address)/metrics")
            #expect(response.status == 200 && response.headers["cache-control"] == "no-store")
            #expect(response.text.contains(#"presign_http_requests_total{route="/healthz",status="200"} 1"#))
            #expect(response.text.contains("presign_http_connections_accepted_total 2"))
            #expect(try await HTTP.send("HEAD", "http://\(address)/metrics").status == 200)
            #expect(try await HTTP.send("OPTIONS", "http://\(address)/metrics").status == 204)
            let refused = try await HTTP.send("POST", "http://\(address)/metrics", body: Data())
            #expect(refused.status == 405 && refused.headers["allow"] == "GET, HEAD, OPTIONS")
            for path in ["/healthz", "/readyz", "/presign", "/"] {
                #expect(try await HTTP.send("GET", "http://\(address)\(path)").status == 404, "\(path)")
            }
        }
    }

    @Test("metrics.listen cannot share a port with server.listen")
    func sharedPort() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "c.yaml")
            let yaml = """
                version: 1
                server: {listen: "127.0.0.1:18975"}
                stores: {main: {bucket: acme-media, region: eu-west-1, credentials: environment}}
                metrics: {listen: ":18975"}
                """
            try Data(yaml.utf8).write(to: file)
            let result = try await Command.run(
                try #require(PresignProcess.binary), ["serve", "--config", file.path()], environment: Self.environment)
            #expect(result.status == 78 && result.errors.contains("presign: metrics.listen: "), "\(result)")
        }
    }

    @Test("Successful and failed reloads are counted")
    func reloads() async throws {
        try await Self.serving { service in
            #expect(kill(service.identifier, SIGHUP) == 0)
            try await service.settles(on: #"presign_config_reloads_total{outcome="success"} 1"#)
            let text = try String(contentsOf: service.configuration, encoding: .utf8)
            try Data(text.replacing("version: 1", with: "version: one").utf8).write(to: service.configuration)
            #expect(kill(service.identifier, SIGHUP) == 0)
            try await service.settles(on: "presign_config_last_reload_successful 0")
        }
    }

    @Test("The alerts fire as described", .enabled(if: Promtool.path != nil, "needs promtool"))
    func alerts() async throws {
        let promtool = try #require(Promtool.path)
        let rules = try await Command.run(promtool, ["check", "rules", Repository.path("config/alerts.yaml")])
        #expect(rules.status == 0, "\(rules)")
        let cases = Repository.path("Tests/metrics/alerts.test.yaml")
        let tests = try await Command.run(promtool, ["test", "rules", cases])
        #expect(tests.status == 0, "\(tests)")
        // For each alert there is a case in which it fires and one in which it does not.
        let text = try String(contentsOfFile: cases, encoding: .utf8)
        let alerts = try String(contentsOfFile: Repository.path("config/alerts.yaml"), encoding: .utf8)
        for alert in alerts.matches(of: /- alert: ([A-Za-z]+)/) {
            #expect(text.matches(of: try Regex("alertname: \(alert.output.1)\\b")).count >= 2, "\(alert.output.1)")
        }
    }

    @Test("Every expression of the dashboard is valid", .enabled(if: Promtool.path != nil, "needs promtool"))
    func dashboard() async throws {
        let promtool = try #require(Promtool.path)
        let dashboard = try Dashboard.read()
        #expect(dashboard.schemaVersion == 39 && Set(dashboard.panels.map(\.id)).count == dashboard.panels.count)
        let rules = dashboard.expressions.enumerated().map { index, expression in
            ["record": "a:b\(index)", "expr": Dashboard.filled(expression)]
        }
        #expect(rules.count >= 25)
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "rules.yaml")
            let groups: [String: any Sendable] = [
                "groups": [["name": "dashboard", "rules": rules] as [String: any Sendable]]
            ]
            try JSONSerialization.data(withJSONObject: groups, options: .withoutEscapingSlashes).write(to: file)
            let check = try await Command.run(promtool, ["check", "rules", file.path()])
            #expect(check.status == 0, "\(check.output) \(check.errors)")
        }
    }

    @Test("Every series of the dashboard and the alerts exists")
    func names() async throws {
        // The keys of an issuer have series if they are fetched; nothing listens on port 9.
        let issuer = #"{name: a, issuer: i, audience: a, algorithms: [RS256], jwks: "http://127.0.0.1:9/keys"}"#
        try await Self.serving(auth: "jwt: [\(issuer)]", sections: "audit: {to: stdout}") { service in
            _ = try await HTTP.send("GET", "http://\(service.address)/presign")
            let text = try await HTTP.send("GET", "http://\(service.address)/metrics").text
            let known = Set(text.matches(of: /(?m)^(?:# TYPE )?([a-z_]+)[{ ]/).map { String($0.output.1) })
            let alerts = try String(contentsOfFile: Repository.path("config/alerts.yaml"), encoding: .utf8)
            let expressions = try Dashboard.read().expressions + [alerts]
            var used: Set<String> = []
            for expression in expressions {
                for name in expression.matches(of: /\b(?:presign|process)_[a-z_]+\b/) {
                    used.insert(String(name.output))
                }
            }
            #expect(used.count > 20 && used.subtracting(known) == [])
        }
    }
}

/// Prometheus' own tool, if present; `Tests/run.sh` installs it.
enum Promtool {
    static let path: String? =
        [ProcessInfo.processInfo.environment["PRESIGN_E2E_PROMTOOL"] ?? "", "/usr/bin/promtool"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
}

/// The root folder.
enum Repository {
    static func path(_ path: String) -> String {
        URL(filePath: #filePath).appending(path: "../../../../" + path).standardized.path()
    }
}

/// `config/grafana-dashboard.json`.
struct Dashboard: Decodable {
    struct Panel: Decodable {
        struct Target: Decodable { let expr: String }

        let id: Int
        let title: String
        let targets: [Target]?
        let panels: [Panel]?
    }

    let schemaVersion: Int
    let panels: [Panel]

    static func read() throws -> Dashboard {
        try JSONDecoder().decode(
            Dashboard.self, from: Data(contentsOf: URL(filePath: Repository.path("config/grafana-dashboard.json"))))
    }

    var expressions: [String] { panels.flatMap { ($0.targets ?? []).map(\.expr) } }

    /// The expression as Grafana sends it.
    static func filled(_ expression: String) -> String {
        ["$__rate_interval": "5m", "$job": ".*", "$instance": ".*"].reduce(expression) {
            $0.replacing($1.key, with: $1.value)
        }
    }
}

extension PresignProcess {
    /// The address in the log line of an event, which may take up to 20 seconds.
    fileprivate func address(of event: String) async throws -> String? {
        struct Line: Decodable { let event: String?, address: String? }
        return try await found {
            try Data(contentsOf: log).split(separator: 0x0A).compactMap {
                try? JSONDecoder().decode(Line.self, from: $0)
            }.first { $0.event == event }
        }?.address
    }

    /// Waits until the metrics contain a line.
    fileprivate func settles(on line: String) async throws {
        #expect(
            try await eventually {
                try await HTTP.send("GET", "http://\(address)/metrics").text.contains(line + "\n")
            }, "\(line)")
    }
}
