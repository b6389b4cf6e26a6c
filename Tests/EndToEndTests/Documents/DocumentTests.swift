import Foundation
import TestSupport
import Testing

/// Runs every command of README.md and of each page of the guide in order: with the service that the page starts, or with
/// that of `config/quickstart.sh`.
@Suite(
    "Commands in documents", .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"), .pythonClients)
struct DocumentTests {
    private static let documents = (try? MarkdownDocument.all) ?? []

    @Test("The documents have blocks that run")
    func count() {
        #expect(Self.documents.reduce(0) { $0 + $1.blocks.count { $0.command != nil } } >= 15)
    }

    @Test(
        "The blocks of a page run one after the other as printed", arguments: documents.filter { !$0.startsService })
    func run(document: MarkdownDocument) async throws {
        let blocks = document.blocks.filter { $0.command != nil }
        guard !blocks.isEmpty else { return }
        try await withTemporaryDirectory { folder in
            let server = try await Quickstart.start(in: folder)
            let substitutions = [
                ("127.0.0.1:8080", server.service), ("127.0.0.1:8081", server.storage), ("psk_...", try server.apiKey),
                ("$PWD/.build/release", (try #require(PresignProcess.binary) as NSString).deletingLastPathComponent),
            ]
            let fill = { (text: String) in substitutions.reduce(text) { $0.replacing($1.0, with: $1.1) } }
            try Self.copyConfiguration(to: folder, fill)
            try Self.addLibraries(to: folder)
            // README.md sets these two itself; the pages of the guide assume them.
            let path = fill("$PWD/.build/release")
            var script = "set -eu\ncd '\(folder.path())'\n"
            if document.path != "README.md" {
                script += "export KEY='\(try server.apiKey)' PATH='\(path)':\"$PATH\"\n"
            }
            for block in blocks { script += Self.script(of: fill(block.command ?? ""), "\(document):\(block.line)") }
            let output = try await Self.run(script, in: folder)
            Self.checkOutput(output, of: document)
            #expect(await server.end(SIGTERM) == 0)
        }
    }

    /// A page that starts its own service, and the provider of its users' tokens.
    struct TaskPage: Sendable, CustomTestStringConvertible {
        let document: MarkdownDocument
        let provider: TokenProvider

        var testDescription: String { "\(document), \(provider)" }

        static let all = documents.filter(\.startsService).flatMap { document in
            let usesTokens = document.text.contains(TokenProvider.auth0.issuer)
            let providers: [TokenProvider] = usesTokens ? TokenProvider.allCases : [.auth0]
            return providers.map { TaskPage(document: document, provider: $0) }
        }
    }

    @Test("Pages that start a service run as printed, beside a stand-in for the provider", arguments: TaskPage.all)
    func taskPage(_ task: TaskPage) async throws {
        let document = task.document
        try await withTemporaryDirectory { folder in
            let ports = try (0..<3).map { _ in try FreePort.next() }
            let fill = { (text: String) in
                task.provider.filled(text, port: ports[2]).replacing("127.0.0.1:8080", with: "127.0.0.1:\(ports[0])")
                    .replacing("127.0.0.1:8081", with: "127.0.0.1:\(ports[1])")
            }
            try Self.addLibraries(to: folder)
            let binary = (try #require(PresignProcess.binary) as NSString).deletingLastPathComponent
            let provider = TokenProvider.arguments(port: ports[2]).joined(separator: " ")
            var script = """
                set -eu
                cd '\(folder.path())'
                export PATH='\(binary)':"$PATH"
                service= provider=
                # SIGKILL, because processes inherit a mask that blocks the termination signals.
                trap 'kill -KILL $service $provider' EXIT
                python '\(Python.script("issuer"))' \(provider) 2>provider.log &
                provider=$!
                until curl -fs -o keys '\(TokenProvider.keys(port: ports[2]))'; do
                    kill -0 $provider || { cat provider.log; exit 1; }
                    sleep 0.1
                done

                """
            for block in document.blocks {
                guard let command = block.command else { continue }
                let text = block.startsService ? Self.started(fill(command), on: ports) : fill(command)
                script += Self.script(of: text, "\(document):\(block.line)")
            }
            Self.checkOutput(try await Self.run(script, in: folder), of: document)
        }
    }

    /// A command that starts a service, in the background, until it is ready.
    private static func started(_ command: String, on ports: [UInt16]) -> String {
        """
        \(command.trimmingCharacters(in: .newlines)) --local-listen 127.0.0.1:\(ports[1]) >service.log 2>&1 &
        service=$!
        until curl -fs -o ready http://127.0.0.1:\(ports[0])/readyz; do
            kill -0 $service || { cat service.log; exit 1; }
            sleep 0.1
        done

        """
    }

    /// The commands of a block, after a line that precedes their output and a file that names the block.
    private static func script(of command: String, _ position: String) -> String {
        // `set -e` ignores a failure inside `A && B`.
        let line = position.split(separator: ":").last ?? ""
        return "echo '\(position)' >position\necho '\(mark)\(line)'\n\(command)[ $? -eq 0 ] || exit 1\n"
    }

    /// Runs a script with `Python.commands`, expects success, and returns its output.
    private static func run(_ script: String, in folder: URL) async throws -> String {
        let run = try await Command.run(
            "/usr/bin/env",
            ["PATH=\(Python.commands):/usr/bin:/bin", "HOME=\(folder.path())", "sh", "-c", script],
            environment: Python.environment)
        let position = (try? String(contentsOf: folder.appending(path: "position"), encoding: .utf8)) ?? ""
        #expect(run.status == 0, "\(position)\(run.output.suffix(2000))\n\(run.errors.suffix(2000))")
        return run.output
    }

    /// Begins the line that precedes the output of each block.
    private static let mark = "--- block at line "

    /// Checks that neither the service nor the storage has rejected a request, except where the next block of the
    /// document shows the error.
    private static func checkOutput(_ output: String, of document: MarkdownDocument) {
        let signs = [#""requestId""#, "<Error>"]
        for part in output.split(separator: mark) where signs.contains(where: { part.contains($0) }) {
            let line = part.prefix { $0.isNumber }
            let index = document.blocks.firstIndex { "\($0.line)" == line }
            let next = index.flatMap { document.blocks.dropFirst($0 + 1).first }
            #expect(signs.contains { next?.text.contains($0) == true }, "\(document): \(part)")
        }
    }

    @Test("README.md has the commands that the quickstart prints, line by line")
    func banner() async throws {
        let shown = try #require(Self.documents.first { $0.path == "README.md" }).text.split(separator: "\n")
        try await withTemporaryDirectory { folder in
            let server = try await Quickstart.start(in: folder)
            let printed = try server.commands.replacing(try server.apiKey, with: "psk_...")
                .replacing(server.service, with: "127.0.0.1:8080").split(separator: "\n")
            for line in printed { #expect(shown.contains { $0 == line || $0.hasPrefix(line + "   ") }, "\(line)") }
            #expect(await server.end(SIGTERM) == 0)
        }
    }

    @Test("The five rules of README.md decide as their comments say")
    func fiveRules() async throws {
        let readme = try #require(Self.documents.first { $0.path == "README.md" })
        let block = try #require(readme.blocks.first { $0.text.contains("cat > rules.yaml") })
        let cases: [(who: String, action: String, path: String, status: Int)] = [
            ("{identity: ada}", "write", "images/a.png, contentType: image/png, contentLength: 10485760", 200),
            ("{identity: ada}", "write", "images/a.png, contentType: image/png, contentLength: 10485761", 422),
            ("{identity: ada}", "write", "images/a.png, contentType: text/html, contentLength: 1", 422),
            ("{identity: ada}", "write", "users/ada/a", 200), ("{identity: ada}", "delete", "users/ada/a", 200),
            ("{identity: bob}", "get", "users/ada/a", 403), ("null", "get", "public/a", 200),
            ("{identity: ada}", "write", "public/a", 403), ("{identity: ada}", "write", "inbox/a", 200),
            ("{identity: ada}", "get", "inbox/a", 403), ("null", "write", "inbox/a", 401),
            ("{identity: eve, groups: [office]}", "get", "inbox/a", 200),
            ("{identity: ada, groups: [red]}", "write", "teams/red/a", 200),
            ("{identity: ada, groups: [red]}", "get", "teams/blue/a", 403),
        ]
        try await withTemporaryDirectory { folder in
            let rules = block.text.split(separator: "\n").filter { !$0.hasPrefix("presign ") }.joined(separator: "\n")
            let lines = cases.enumerated().map { index, test in
                "  - {name: \"\(index)\", request: {who: \(test.who), action: \(test.action), path: \(test.path)},"
                    + " expect: {status: \(test.status)}}"
            }
            try Data(("config: rules.yaml\ncases:\n" + lines.joined(separator: "\n")).utf8)
                .write(to: folder.appending(path: "cases.yaml"))
            let test = "\(rules)\n'\(try #require(PresignProcess.binary))' test-rules cases.yaml"
            let run = try await Command.run("/bin/sh", ["-euc", "cd '\(folder.path())'\n\(test)"])
            #expect(run.status == 0, "\(run)")
        }
    }

    @Test("Shell blocks that are not run are valid", arguments: documents)
    func notRun(document: MarkdownDocument) async throws {
        for block in document.blocks where block.language == "sh" && block.notRun != nil {
            let run = try await Command.run("/bin/sh", ["-n"], input: Data(block.text.utf8))
            #expect(run.status == 0, "\(document):\(block.line): \(run.errors)")
        }
    }

    /// `config` with the addresses of this run.
    private static func copyConfiguration(to folder: URL, _ fill: (String) -> String) throws {
        let (source, target) = (TestSupport.Repository.root.appending(path: "config"), folder.appending(path: "config"))
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: false)
        for name in try FileManager.default.contentsOfDirectory(atPath: source.path()) where name.hasSuffix(".yaml") {
            let text = try String(contentsOf: source.appending(path: name), encoding: .utf8)
            try Data(fill(text).utf8).write(to: target.appending(path: name))
        }
    }

    /// The folder `.venv` of README.md, with the SDKs.
    private static func addLibraries(to folder: URL) throws {
        let sdks = try #require(ProcessInfo.processInfo.environment["PRESIGN_E2E_SDKS"])
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending(path: ".venv").path(), withDestinationPath: sdks)
    }
}
