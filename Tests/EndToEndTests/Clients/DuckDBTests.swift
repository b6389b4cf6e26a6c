import Foundation
import TestSupport
import Testing

@Suite("DuckDB with presigned URLs", .realParts, .pythonClients)
struct DuckDBTests {
    /// The results for 200,000 rows: id counts from 0, kind is id modulo 7, value is half of id.
    static let results: [String: [Double]] = [
        "parquet aggregate": [200_000, 9_999_950_000], "parquet projection": [4, 123_456],
        "csv aggregate": [28_571, 2_857_042_858],
    ]

    @Test(
        "One GET URL per file serves all queries of a Parquet and a CSV file",
        arguments: StorageKind.atLeast(.seaweedfs))
    func reads(kind: StorageKind) async throws {
        try await LoggingProxy.watching(kind.server) { proxy in
            let address = "http://127.0.0.1:\(proxy.port)"
            try await Scenario.run(on: kind, store: ["publicEndpoint": address]) { scenario in
                let parquetLength = try await Self.uploadSamples(scenario)
                let before = try proxy.exchanges.count
                let urls = [
                    try await scenario.grant("GET", "sample.parquet").url,
                    try await scenario.grant("GET", "sample.csv").url,
                ]
                let output = try await Python.run("duckdb_read", urls)
                let found = try JSONDecoder().decode([String: [Double]].self, from: Data(output.utf8))
                #expect(found == Self.results)
                let exchanges = Array(try proxy.exchanges.dropFirst(before))
                // A GET URL rejects DuckDB's initial HEAD with 403; the other requests are ranges.
                #expect(exchanges.contains { $0.method == "HEAD" })
                #expect(exchanges.filter { $0.method == "HEAD" }.allSatisfy { $0.status == 403 })
                let parts = exchanges.filter { $0.method == "GET" && $0.range != nil }
                #expect(parts.count > 4)
                #expect(parts.allSatisfy { $0.status == 206 })
                // The queries need three of four columns.
                let sent = exchanges.filter { $0.path.hasSuffix(".parquet") }.map(\.sent).reduce(0, +)
                #expect(sent > 0 && sent < parquetLength / 2, "\(sent) of \(parquetLength)")
            }
        }
    }

    @Test("DuckDB cannot write to a URL, as the guide says", arguments: StorageKind.atLeast(.local))
    func cannotWrite(kind: StorageKind) async throws {
        try await Scenario.run(on: kind) { scenario in
            let output = try await Python.run("duckdb_write", [try await scenario.grant("PUT", "a.parquet").url])
            #expect(output.contains("Writing to HTTP files not implemented"), "\(output)")
            #expect(try await scenario.get("a.parquet").status == 404)
        }
    }

    /// Python with DuckDB 1.5 and with 2.0.
    private static let interpreters = [Python.interpreter, ProcessInfo.processInfo.environment["PRESIGN_E2E_DUCKDB"]]
        .compactMap(\.self)

    @Test(
        "The registered file system of the guide uploads DuckDB's output with one PUT, with DuckDB 1.5 and 2.0",
        arguments: StorageKind.atLeast(.local), interpreters)
    func uploads(kind: StorageKind, python: String) async throws {
        #expect(Self.interpreters.count == 2)
        try await Scenario.run(on: kind) { scenario in
            let copy = { (query: String, name: String) in
                try await Self.copy(query, to: name, in: scenario, with: python)
            }
            let copied = try await copy("SELECT range AS a FROM range(100000)", "out.parquet")
            #expect(copied.status == 0, "\(copied.errors)")
            let content = try await scenario.get("out.parquet").body
            // Parquet starts and ends with its magic number.
            #expect(content.starts(with: Data("PAR1".utf8)) && content.suffix(4) == Data("PAR1".utf8))
            // A query that fails halfway uploads nothing.
            let failing = "SELECT CASE WHEN range > 900000 THEN error('half-way') ELSE range END FROM range(1000000)"
            let failed = try await copy(failing, "none.parquet")
            #expect(failed.status == 1 && failed.errors.contains("half-way"), "\(failed.errors)")
            #expect(try await scenario.get("none.parquet").status == 404)
        }
    }

    /// Runs the recipe of the guide: DuckDB copies the query's rows to a Parquet file in the folder of the scenario.
    static func copy(
        _ query: String, to name: String, in scenario: Scenario, with python: String
    ) async throws -> Command.Result {
        let blocks = try #require(try MarkdownDocument.page("Recipes.md")).blocks
        let recipe = try #require(blocks.first { $0.text.contains("class Presigned(AbstractFileSystem)") }).text
        let environment = scenario.clientEnvironment
        let program = recipe.replacing("http://127.0.0.1:8080", with: try #require(environment["PRESIGN"]))
            .replacing("SELECT 42 AS answer", with: query)
            .replacing("uploads/answer.parquet", with: scenario.prefix + name)
        let key = try #require(environment["PRESIGN_KEY"])
        return try await Command.run(python, ["-c", program], environment: ["KEY": key])
    }

    /// Creates the files with DuckDB, uploads each with one PUT by curl, and returns the size of the Parquet file.
    static func uploadSamples(_ scenario: Scenario) async throws -> Int {
        try await withTemporaryDirectory { directory in
            _ = try await Python.run("samples", [directory.path()])
            var lengths: [Int] = []
            for name in ["sample.parquet", "sample.csv"] {
                let content = try Data(contentsOf: directory.appending(path: name))
                let uploaded = try await scenario.grant("PUT", name).send(content)
                try #require(uploaded.status == 200, "\(uploaded.text)")
                lengths.append(content.count)
            }
            return lengths[0]
        }
    }
}

extension Scenario {
    /// The environment in which the scripts of `Tests/clients` find the service.
    var clientEnvironment: [String: String] { service.clientEnvironment }
}
