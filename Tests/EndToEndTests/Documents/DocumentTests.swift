import Foundation
import TestSupport
import Testing

/// Runs every command of a document in order, with the service that `config/quickstart.sh` starts.
@Suite(
    "Commands in documents", .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"), .pythonClients)
struct DocumentTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    private static func blocks(of document: String) throws -> [MarkdownBlock] {
        MarkdownBlock.all(in: try String(contentsOf: repository.appending(path: document), encoding: .utf8))
    }

    @Test("The blocks run one after the other as printed", arguments: [("README.md", 15)])
    func run(document: String, atLeast: Int) async throws {
        let blocks = try Self.blocks(of: document).filter { $0.command != nil }
        #expect(blocks.count >= atLeast)
        try await withTemporaryDirectory { folder in
            let server = try await Quickstart.start(in: folder)
            let substitutions = [
                ("127.0.0.1:8080", server.service), ("127.0.0.1:8081", server.storage), ("psk_...", try server.apiKey),
                ("$PWD/.build/release", (try #require(PresignProcess.binary) as NSString).deletingLastPathComponent),
            ]
            let fill = { (text: String) in substitutions.reduce(text) { $0.replacing($1.0, with: $1.1) } }
            try Self.copyConfiguration(to: folder, fill)
            try Self.addPrograms(to: folder)
            var script = "set -eu\ncd '\(folder.path())'\n"
            for block in blocks {
                // `set -e` ignores a failure inside `A && B`.
                script += "echo '\(document):\(block.line)' >position\n\(fill(block.command ?? ""))"
                script += "[ $? -eq 0 ] || exit 1\n"
            }
            let run = try await Command.run(
                "/usr/bin/env",
                ["PATH=\(folder.path())/bin:/usr/bin:/bin", "HOME=\(folder.path())", "sh", "-c", script])
            let position = try String(contentsOf: folder.appending(path: "position"), encoding: .utf8)
            #expect(run.status == 0, "\(position)\(run.output.suffix(2000))\n\(run.errors.suffix(2000))")
            // Neither the service nor the storage has rejected a request.
            for sign in [#""requestId""#, "<Error>"] { #expect(!run.output.contains(sign), "\(run.output)") }
            #expect(await server.end(SIGTERM) == 0)
        }
    }

    @Test("README.md shows the two printed lines")
    func banner() async throws {
        let readme = try String(contentsOf: Self.repository.appending(path: "README.md"), encoding: .utf8)
        try await withTemporaryDirectory { folder in
            let server = try await Quickstart.start(in: folder)
            for name in ["  upload ", "  download "] {
                let line = try #require(server.banner.split(separator: "\n").first { $0.hasPrefix(name) })
                let shown = line.replacing(try server.apiKey, with: "psk_...")
                    .replacing(server.service, with: "127.0.0.1:8080")
                #expect(readme.contains("\n\(shown)\n"), "\(shown)")
            }
            #expect(await server.end(SIGTERM) == 0)
        }
    }

    @Test("A block that is not run states the reason, and shell blocks are valid", arguments: ["README.md"])
    func notRun(document: String) async throws {
        // Another test reads the configurations; the other languages are output.
        for block in try Self.blocks(of: document) where !["", "json", "yaml"].contains(block.language) {
            #expect(block.command != nil || block.notRun?.isEmpty == false, "\(document):\(block.line)")
        }
        for block in try Self.blocks(of: document) where block.language == "sh" && block.notRun != nil {
            let run = try await Command.run("/bin/sh", ["-n"], input: Data(block.text.utf8))
            #expect(run.status == 0, "\(document):\(block.line): \(run.errors)")
        }
    }

    /// `config` with the addresses of this run.
    private static func copyConfiguration(to folder: URL, _ fill: (String) -> String) throws {
        let (source, target) = (repository.appending(path: "config"), folder.appending(path: "config"))
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: false)
        for name in try FileManager.default.contentsOfDirectory(atPath: source.path()) where name.hasSuffix(".yaml") {
            let text = try String(contentsOf: source.appending(path: name), encoding: .utf8)
            try Data(fill(text).utf8).write(to: target.appending(path: name))
        }
    }

    /// The commands `python`, with the client libraries, and `duckdb`.
    private static func addPrograms(to folder: URL) throws {
        let python = try #require(Python.interpreter)
        let programs = [
            "python": "exec '\(python)' \"$@\"", "duckdb": "exec '\(python)' '\(Python.script("duckdb_cli"))' \"$@\"",
        ]
        try FileManager.default.createDirectory(at: folder.appending(path: "bin"), withIntermediateDirectories: false)
        for (name, line) in programs {
            let file = folder.appending(path: "bin/\(name)")
            try Data("#!/bin/sh\n\(line)\n".utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path())
        }
    }
}
