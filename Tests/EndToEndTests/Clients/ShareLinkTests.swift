import Foundation
import TestSupport
import Testing

@Suite("Share links: every client reads and uploads with a link alone", .realParts, .pythonClients)
struct ShareLinkTests {
    /// Runs the body with a service that makes share links in `shared/` of each scenario.
    static func run(
        on kind: StorageKind, store: [String: String] = [:], _ body: (Scenario) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { folder in
            let key = folder.appending(path: "share.key")
            let binary = try #require(PresignProcess.binary)
            let made = try await Command.run(binary, ["key", "new", "--share"])
            try Data(made.output.utf8).write(to: key)
            let rule =
                #"{path: "*/shared/**", allow: {authenticated: [get, write]}, share: {get: 1d, write: 1d}}"#
            let shares = "shares: {keys: [{id: e2e, file: \"\(key.path())\"}]}"
            try await Scenario.run(on: kind, store: store, rules: [rule], sections: shares, body)
        }
    }

    @Test(
        "curl, urllib, pandas, DuckDB and rclone, with GET, HEAD and ranges",
        arguments: StorageKind.atLeast(.seaweedfs))
    func clients(kind: StorageKind) async throws {
        try await Self.run(on: kind) { scenario in
            let csv = "id,kind\n" + (0..<5000).map { "\($0),\($0 % 7)\n" }.joined()
            try await scenario.put(csv, at: "shared/a b.csv", ["contentType": "text/csv"])
            let link = try await scenario.share("GET", "shared/a b.csv")
            let get = try await Command.run("/usr/bin/curl", ["-qfsSL", link])
            #expect(get.status == 0 && get.output == csv, "\(get)")
            let part = try await Command.run("/usr/bin/curl", ["-qfsSL", "-r", "3-6", link])
            #expect(part.status == 0 && part.output == "kind", "\(part)")
            let head = try await Command.run("/usr/bin/curl", ["-qfsSIL", link])
            #expect(head.output.lowercased().contains("content-length: \(csv.utf8.count)\r\n"), "\(head)")
            #expect(try await Python.run("urllib_read", [link, ""]) == "200 \(csv)\n")
            #expect(try await Self.pandas(link) == "5000\n")
            let query = "SELECT count(*), sum(id) FROM read_csv('\(link)') WHERE kind = 3"
            let counted = try await Python.run("duckdb_cli", ["-c", query])
            #expect(counted.contains("714"), "\(counted)")
            let slash = try #require(link.lastIndex(of: "/"))
            let remote = ":http:" + link[link.index(after: slash)...]
            try await withTemporaryDirectory { folder in
                let copy = folder.appending(path: "copy")
                let options = ["--config", "/dev/null", "copyto", "--http-url", String(link[...slash])]
                let rclone = try await Command.run("/usr/bin/rclone", options + [remote, copy.path()])
                #expect(rclone.status == 0, "\(rclone.errors)")
                #expect(try String(contentsOf: copy, encoding: .utf8) == csv)
            }
        }
    }

    private static func pandas(_ link: String) async throws -> String {
        let run = try await Command.run(
            "\(Python.commands)/python", [Python.script("share_read"), link], environment: Python.environment)
        #expect(run.status == 0, "\(run.errors)")
        return run.output
    }

    @Test(
        "curl uploads with a link, also a large file, and the storage enforces what was signed",
        arguments: StorageKind.present)
    func uploads(kind: StorageKind) async throws {
        try await Self.run(on: kind) { scenario in
            let link = try await scenario.share("PUT", "shared/up", ["ifNoneMatch": "*", "contentLength": 3_000_000])
            try await withTemporaryDirectory { folder in
                let file = folder.appending(path: "file")
                let once = "If-None-Match: *"
                let put = { (count: Int, headers: [String]) in
                    try Data(repeating: 7, count: count).write(to: file)
                    let options = ["-qsSL", "-o", "/dev/null", "-w", "%{http_code} %{size_upload}", "-T", file.path()]
                    return try await Command.run(
                        "/usr/bin/curl", options + headers.flatMap { ["-H", $0] } + [link]
                    ).output
                }
                var results: [String] = []
                for (count, headers) in [(10, []), (3_000_001, [once]), (3_000_000, [once]), (10, [once])] {
                    results.append(try await put(count, headers))
                }
                #expect(results.map { $0.prefix(3) } == ["422", "413", "200", "412"], "\(results)")
                // Above 1 MB curl sends Expect: 100-continue, so the body goes only to the storage.
                #expect(results[2] == "200 3000000")
                #expect(try await scenario.get("shared/up").body.count == 3_000_000)
            }
        }
    }
}

extension Scenario {
    /// Makes a share link.
    func share(_ method: String, _ path: String, _ fields: [String: any Sendable] = [:]) async throws -> String {
        let response = try await ask(method, path, fields.merging(["share": true]) { given, _ in given })
        struct Link: Decodable { let url: String }
        try #require(response.status == 200, "\(response.text)")
        return try JSONDecoder().decode(Link.self, from: response.body).url
    }
}
