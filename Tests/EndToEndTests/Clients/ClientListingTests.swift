import Foundation
import Testing

@Suite("Listings with real clients", .realParts, .pythonClients)
struct ClientListingTests {
    private static func ask(_ scenario: Scenario, _ fields: [String: any Sendable]) async throws -> HTTP.Response {
        try await HTTP.presign(fields, at: "http://\(scenario.service.address)", key: scenario.service.apiKey)
    }

    private static func list(_ scenario: Scenario, _ fields: [String: any Sendable]) async throws -> HTTP.Response {
        let response = try await ask(scenario, fields)
        try #require(response.status == 200, "\(response.text)")
        return try await JSONDecoder().decode(Grant.self, from: response.body).send()
    }

    @Test("curl lists a folder, its names as they were uploaded", arguments: StorageKind.present)
    func curl(kind: StorageKind) async throws {
        try await Scenario.run(on: kind, store: ["listing": "true"]) { scenario in
            for name in ["f/a b+c.txt", "f/é.txt", "f/deep/er.txt", "g.txt"] { try await scenario.put("x", at: name) }
            let folder = scenario.prefix + "f/"
            let all = try await Self.list(scenario, ["prefix": folder])
            #expect(all.status == 200, "\(all.text)")
            let names = all.names(of: "Contents><Key").map { $0.replacing(folder, with: "") }
            #expect(names == ["a b+c.txt", "deep/er.txt", "é.txt"])
            let level = try await Self.list(scenario, ["prefix": folder, "delimiter": "/", "maxKeys": 100])
            #expect(level.names(of: "CommonPrefixes><Prefix") == [folder + "deep/"])
            let rest = try await Self.list(scenario, ["prefix": folder, "startAfter": folder + "deep/er.txt"])
            #expect(rest.names(of: "Contents><Key") == [folder + "é.txt"])
        }
    }

    @Test("A store with a prefix lists only what is below it, with full names", arguments: StorageKind.present)
    func storePrefix(kind: StorageKind) async throws {
        let root = "root-\(UUID().uuidString)/"
        try await Scenario.run(on: kind, store: ["listing": "true", "prefix": root]) { scenario in
            try await scenario.put("x", at: "a")
            let listing = try await Self.list(scenario, ["prefix": "", "startAfter": "0"])
            #expect(listing.names(of: "Contents><Key") == [root + scenario.prefix + "a"])
        }
    }

    @Test("DuckDB reads all files of a listed folder", arguments: StorageKind.atLeast(.seaweedfs))
    func duckDB(kind: StorageKind) async throws {
        try await Scenario.run(on: kind, store: ["listing": "true"]) { scenario in
            for name in ["f/a.parquet", "f/b c.parquet", "f/d/e.parquet"] {
                let copied = try await DuckDBTests.copy(
                    "SELECT range AS a FROM range(1000)", to: name, in: scenario,
                    with: try #require(Python.interpreter))
                #expect(copied.status == 0, "\(copied.errors)")
            }
            try await scenario.put("no parquet", at: "f/notes.txt")
            let output = try await Python.run(
                "duckdb_folder", [scenario.prefix + "f/"], environment: scenario.clientEnvironment)
            #expect(output == "3 3000\n")
        }
    }

    @Test("check-config names what listing opens, and url --list signs the same listing")
    func commands() async throws {
        try await Scenario.run(on: .local, store: ["listing": "true"]) { scenario in
            try await scenario.put("x", at: "a")
            let configuration = scenario.service.configuration.path()
            let check = try await scenario.service.run(["check-config", configuration])
            #expect(check.output.contains("listing of store main: ** ("), "\(check)")
            #expect(check.output.contains("grants `list` to authenticated\n"))
            let run = try await scenario.service.run(
                ["url", "--list", scenario.prefix, "--delimiter", "/", "--config", configuration])
            let url = run.output.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(try await HTTP.send("GET", url).names(of: "Contents><Key") == [scenario.prefix + "a"], "\(run)")
        }
    }
}
