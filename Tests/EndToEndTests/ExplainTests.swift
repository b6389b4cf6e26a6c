import Foundation
import Testing

@Suite("explain and test-rules", .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct ExplainTests {
    private static let rules = """
        rules: [{path: "own/{identity}/*", allow: {owner: [read], "group:g": [write]}}]
        """

    /// Runs the command in a folder with the rules as `rules.yaml` and other files.
    private func run(
        _ arguments: [String], files: [String: String] = [:], input: String? = nil
    ) async throws -> Command.Result {
        try await withTemporaryDirectory { folder in
            for (name, text) in files.merging(["rules.yaml": Self.rules], uniquingKeysWith: { given, _ in given }) {
                try Data(text.utf8).write(to: folder.appending(path: name))
            }
            let inFolder = arguments.map { $0.replacing("FOLDER", with: folder.path()) }
            return try await Command.run(
                try #require(PresignProcess.binary), inFolder, input: input.map { Data($0.utf8) })
        }
    }

    @Test(
        "explain exits with 0, 1 or 64",
        arguments: [
            (["--identity", "a", "get", "own/a/f"], 0, "allowed (200)"),
            (["--identity", "b", "--group", "f", "--group", "g", "write", "own/a/f"], 0, "allowed (200)"),
            (["--identity", "b", "get", "own/a/f"], 1, "refused (403): no-grant"),
            (["--guest", "get", "own/a/f"], 1, "refused (401): no-grant"),
            (["--claim", "sub", "get", "own/a/f"], 64, ""), (["--identity", "a", "rede", "own/a/f"], 64, ""),
            (["--identity", "a", "read", "own/a/f"], 0, "get:\nallowed (200)"),
            (["--identity", "b", "read", "own/a/f"], 1, "get:\nrefused (403): no-grant"),
            (["--identity", "a", "get", "own/a/f", "--checksum", "md5"], 64, ""), (["get", "own/a/f"], 64, ""),
            (["--identity", "a", "get", "own/a/f", "--batch"], 64, ""),
        ])
    func explain(arguments: [String], status: Int32, start: String) async throws {
        let run = try await run(["explain", "--config", "FOLDER/rules.yaml"] + arguments)
        #expect(run.status == status && run.output.hasPrefix(start), "\(run)")
    }

    @Test(
        "explain supports multipart steps, response overrides and listings",
        arguments: [
            (["get", "f", "--override", "responseContentType=text/html"], 1, "refused (422): responseContentType"),
            (
                [
                    "get", "f", "--override", "responseContentType=text/html", "--override",
                    "responseContentDisposition=attachment; filename=\"a=b\"",
                ], 0, "allowed (200)"
            ),
            (["get", "f", "--override", "contentType=a"], 64, ""), (["get", "f", "--override", "x"], 64, ""),
            (["get", "f", "--step", "part"], 64, ""), (["multipart", "f", "--step", "finish"], 64, ""),
            (["multipart", "f", "--step", "complete"], 0, "URL     signs if-none-match: *\n"),
            (["multipart", "f"], 0, "signs if-none-match: *, when the upload is completed"),
            (["multipart", "f", "--step", "create"], 1, "refused (422): contentType"),
            (["list", "f"], 0, "end the path in / to decide a listing"), (["list", "f/"], 1, "refused (401): no-rule"),
            (["read", "f"], 0, "end the path in / to decide a listing"), (["read", "g/"], 0, "key     g/* decides"),
            (["list", "g/"], 0, "key     g/* decides, where * is any segment"),
        ])
    func explainMore(arguments: [String], status: Int32, text: String) async throws {
        let rules = """
            rules:
              - {path: f, allow: {everyone: [read, multipart]}, write: {overwrite: false, types: [image/*]}}
              - {path: g/**, allow: {everyone: [list]}}
            """
        let run = try await run(
            ["explain", "--config", "FOLDER/r.yaml", "--guest"] + arguments, files: ["r.yaml": rules])
        #expect(run.status == status && (text.isEmpty || run.output.contains(text)), "\(run)")
    }

    @Test("An unknown store is a usage error that lists the stores")
    func unknownStore() async throws {
        let stores = "stores: [media, archive]\n" + Self.rules
        let question = ["explain", "--config", "FOLDER/s.yaml", "--guest", "get", "a", "--store"]
        let wrong = try await run(question + ["nope"], files: ["s.yaml": stores])
        #expect(
            wrong.status == 64 && wrong.errors.contains("unknown store `nope`; the stores are media, archive"),
            "\(wrong)")
        #expect(try await run(question + ["media"], files: ["s.yaml": stores]).status == 1)
    }

    @Test func brokenRules() async throws {
        let run = try await run(
            ["explain", "--config", "FOLDER/bad.yaml", "--guest", "get", "a"],
            files: ["bad.yaml": "rules:\n  - {path: a/}"])
        #expect(run.status == 78 && run.errors.contains("bad.yaml:2:5"), "\(run)")
    }

    @Test("A batch responds to every line and exits with 65 if one is invalid")
    func batch() async throws {
        let question = #"{"who":{"identity":"a"},"action":"get","path":"own/a/f"}"# + "\n"
        let batch = ["explain", "--config", "FOLDER/rules.yaml", "--batch"]
        let good = try await run(batch, input: question + "\n" + question)
        #expect(good.status == 0 && good.output.split(separator: "\n").count == 2, "\(good)")
        let long = try await run(batch, input: String(repeating: "x", count: 3 << 20) + "\n" + question)
        #expect(long.status == 65 && long.output.contains("the text is too long"), "\(long.output.prefix(200))")
        #expect(long.output.split(separator: "\n").last?.hasPrefix(#"{"status":200"#) == true)
        let bad = try await run(batch, input: "x\n" + question)
        #expect(bad.status == 65 && bad.output.hasPrefix(#"{"error":"#), "\(bad)")
        #expect(bad.output.split(separator: "\n").last?.hasPrefix(#"{"status":200,"rule":"own/{identity}/*""#) == true)
    }

    @Test(
        "test-rules exits with 0, with 1 and the difference, or with 78",
        arguments: [
            ("200", 0, "1 case, 0 differences\n"), ("403", 1, "case 1, n: status is 200, expected 403\n"),
            ("x", 78, ""),
        ])
    func tests(status: String, code: Int32, output: String) async throws {
        let cases = """
            config: rules.yaml
            cases:
              - {name: n, request: {who: {identity: a}, action: get, path: own/a/f}, expect: {status: \(status)}}
            """
        let run = try await run(["test-rules", "FOLDER/cases.yaml"], files: ["cases.yaml": cases])
        #expect(run.status == code && run.output.hasPrefix(output), "\(run)")
    }
}
