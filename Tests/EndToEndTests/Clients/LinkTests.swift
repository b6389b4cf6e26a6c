import Foundation
import TestSupport
import Testing

@Suite("Plain links: /o/PATH redirects every client to a URL for its method", .realParts)
struct LinkTests {
    private static let links = ["links": "true"]

    @Test("curl follows a link with GET, HEAD and a range", arguments: StorageKind.present)
    func curl(kind: StorageKind) async throws {
        try await Scenario.run(on: kind, store: Self.links) { scenario in
            try await scenario.put("0123456789", at: "a b+c.txt", ["contentType": "text/plain"])
            let link = "http://\(scenario.service.address)/o/\(scenario.prefix)a%20b%2Bc.txt"
            // curl sends a header set with -H only to its original host, so the storage does not get the key.
            let key = ["-H", "Authorization: Bearer \(scenario.service.apiKey)"]
            let get = try await Command.run("/usr/bin/curl", ["-qfsSL", link] + key)
            #expect(get.status == 0 && get.output == "0123456789", "\(get)")
            let part = try await Command.run("/usr/bin/curl", ["-qfsSL", "-r", "2-4", link] + key)
            #expect(part.status == 0 && part.output == "234", "\(part)")
            let head = try await Command.run("/usr/bin/curl", ["-qfsSIL", link] + key)
            #expect(head.status == 0 && head.output.lowercased().contains("content-length: 10\r\n"), "\(head)")
            #expect(head.output.contains(" 307 ") && head.output.contains(" 200 "), "\(head.output)")
        }
    }

    @Test(
        "A link is rejected for callers without read permission, and if links are disabled",
        arguments: StorageKind.present.prefix(1))
    func refused(kind: StorageKind) async throws {
        try await Scenario.run(on: kind, store: Self.links) { scenario in
            try await scenario.put("x", at: "a")
            let response = try await HTTP.send("GET", "http://\(scenario.service.address)/o/\(scenario.prefix)a")
            #expect(response.status == 401 || response.status == 403, "\(response.status)")
            #expect(response.headers["location"] == nil)
        }
        try await Scenario.run(on: kind) { scenario in
            let response = try await HTTP.send(
                "GET", "http://\(scenario.service.address)/o/\(scenario.prefix)a",
                headers: ["Authorization": "Bearer \(scenario.service.apiKey)"])
            #expect(response.status == 404, "\(response.text)")
            #expect(response.headers["location"] == nil)
        }
    }

    @Test(
        "DuckDB sends its secret to the link but not to the storage", .pythonClients,
        arguments: StorageKind.atLeast(.local))
    func duckDBSecret(kind: StorageKind) async throws {
        try await Scenario.run(on: kind, store: Self.links) { scenario in
            _ = try await DuckDBTests.uploadSamples(scenario)
            let service = "http://\(scenario.service.address)"
            let query = "SELECT count(*) FROM read_parquet('\(service)/o/\(scenario.prefix)sample.parquet');"
            let refused = try await Command.run(
                try #require(Python.interpreter), [Python.script("duckdb_cli"), "-c", query])
            #expect(refused.status != 0 && refused.output.isEmpty, "\(refused)")
            let secret = "TYPE http, BEARER_TOKEN '\(scenario.service.apiKey)', SCOPE '\(service)'"
            let output = try await Python.run("duckdb_cli", ["-c", "CREATE SECRET presign (\(secret)); \(query)"])
            #expect(output.hasSuffix("200000\n"), "\(output)")
        }
    }

    @Test("urllib forwards the key to the storage, which rejects it; a guest's link and a URL work", .pythonClients)
    func urllib() async throws {
        let local = try #require(StorageKind.present.first { $0 == .local }, "needs PRESIGN_E2E_LOCAL")
        try await Scenario.run(on: local, store: Self.links, guests: true) { scenario in
            try await scenario.put("content", at: "a.txt")
            let url = try await scenario.grant("GET", "a.txt").url
            let link = "http://\(scenario.service.address)/o/\(scenario.prefix)a.txt"
            let output = try await Python.run("urllib_read", [link, scenario.service.apiKey, link, "", url, ""])
            #expect(output == "400 Only one auth mechanism allowed\n200 content\n200 content\n", "\(output)")
        }
    }

    @Test(
        "DuckDB reads through a guest's links, including HEAD", .pythonClients,
        arguments: StorageKind.atLeast(.seaweedfs))
    func duckDB(kind: StorageKind) async throws {
        try await Scenario.run(on: kind, store: Self.links, guests: true) { scenario in
            _ = try await DuckDBTests.uploadSamples(scenario)
            let base = "http://\(scenario.service.address)/o/\(scenario.prefix)"
            let output = try await Python.run("duckdb_read", [base + "sample.parquet", base + "sample.csv"])
            let found = try JSONDecoder().decode([String: [Double]].self, from: Data(output.utf8))
            #expect(found == DuckDBTests.results)
        }
    }
}
