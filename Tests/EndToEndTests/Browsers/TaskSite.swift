import Foundation
import TestSupport
import Testing

/// A static site with a page of the guide, the service that the guide configures, and a stand-in for Auth0.
struct TaskSite: Sendable {
    /// The files of the site.
    let folder: URL
    let origin: String
    /// The origins of the service and the storage.
    let service: String
    let storage: String
    /// The blocks of the page by language, with the addresses of this run; the last of each language.
    let blocks: [String: String]
    /// The `sub` of the token.
    let user: String
    let token: String
    private let store: URL

    /// Runs the body with the site and a browser, then stops all programs.
    ///
    /// - Parameter page: The name of the page. Its YAML replaces sections of the configuration in OwnFiles.md.
    static func run(
        page: String, in kind: Browser.Kind = .chromium, _ body: (TaskSite, Browser) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { folder in
            var processes: [(process: Process, exit: AsyncStream<Int32>)] = []
            let outcome: Result<Void, any Error>
            do {
                let site = try await TaskSite(page: page, in: folder, &processes)
                outcome = .success(try await Browser.open(kind) { try await body(site, $0) })
            } catch {
                outcome = .failure(error)
            }
            for (process, exit) in processes {
                // SIGKILL, because the process inherits a mask that blocks the termination signals.
                kill(process.processIdentifier, SIGKILL)
                _ = await exit.first { _ in true }
            }
            try outcome.get()
        }
    }

    private init(
        page: String, in directory: URL, _ processes: inout [(process: Process, exit: AsyncStream<Int32>)]
    ) async throws {
        let ports = try (0..<4).map { _ in try FreePort.next() }
        let (guide, own) = (try #require(try MarkdownDocument.page(page)), try MarkdownDocument.page("OwnFiles.md"))
        let fill = { (text: String) in
            text.replacing(TokenProvider.auth0.issuer, with: "http://127.0.0.1:\(ports[2])/")
                .replacing("127.0.0.1:8080", with: "127.0.0.1:\(ports[0])")
                .replacing(/http:\/\/localhost:[0-9]+/, with: "http://127.0.0.1:\(ports[3])")
        }
        let store = directory.appending(path: "data")
        let folder = directory.appending(path: "site")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        func start(_ name: String, _ program: String, _ arguments: [String]) throws {
            processes.append(
                try Command.start(
                    program, arguments, environment: [:], output: directory.appending(path: name + ".output"),
                    errors: directory.appending(path: name + ".errors")))
        }
        let provider = TokenProvider.arguments(port: ports[2])
        try start("provider", try #require(Python.interpreter), [Python.script("issuer")] + provider)
        let web = ["-m", "http.server", "\(ports[3])", "--bind", "127.0.0.1", "--directory", folder.path()]
        try start("web", "/usr/bin/python3", web)

        // The commands of OwnFiles.md that write the configuration, and the one that gets a token.
        let commands = try #require(own).blocks.compactMap { block in block.startsService ? nil : block.command }
        let parts = (
            commands.prefix { !$0.hasPrefix("CLIENT_ID=") }, try #require(commands.first { $0.hasPrefix("CLIENT_ID=") })
        )
        let binary = (try #require(PresignProcess.binary) as NSString).deletingLastPathComponent
        let script = """
            set -eu
            cd '\(directory.path())'
            PATH='\(binary)':"$PATH"
            curl -fsS --retry 50 --retry-delay 1 --retry-connrefused -o keys '\(TokenProvider.keys(port: ports[2]))'
            \(fill(parts.0.joined()))
            \(fill(parts.1))
            echo "$CLIENT_ID@clients $TOKEN" >token
            """
        let run = try await Command.run("/bin/sh", ["-c", script])
        try #require(run.status == 0, "\(run.output)\(run.errors)")
        let line = try String(contentsOf: directory.appending(path: "token"), encoding: .utf8)
        let words = line.trimmingCharacters(in: .newlines).split(separator: " ").map(String.init)
        try #require(words.count == 2)
        (user, token) = (words[0], words[1])

        let configuration = directory.appending(path: "presign.yaml")
        let changes = try #require(guide.blocks.first { $0.language == "yaml" })
        let text = try String(contentsOf: configuration, encoding: .utf8)
        let local = "local: {directory: '\(store.path())', listen: '127.0.0.1:\(ports[1])'}\n"
        try Data((Self.replacing(sectionsOf: text, by: fill(changes.text)) + local).utf8).write(to: configuration)
        let serve = "'\(binary)/presign' serve --config presign.yaml --listen 127.0.0.1:\(ports[0])"
        try start("service", "/bin/sh", ["-c", "cd '\(directory.path())' && exec \(serve)"])
        origin = "http://127.0.0.1:\(ports[3])"
        (service, storage) = ("http://127.0.0.1:\(ports[0])", "http://127.0.0.1:\(ports[1])")
        blocks = Dictionary(guide.blocks.map { ($0.language, fill($0.text)) }) { $1 }
        self.store = store
        self.folder = folder
        for address in ["http://127.0.0.1:\(ports[0])/readyz", origin] {
            let retry = ["--retry", "30", "--retry-delay", "1", "--retry-all-errors"]
            let response = try await Command.run("/usr/bin/curl", ["-fsS", address] + retry)
            let log = try String(contentsOf: directory.appending(path: "service.errors"), encoding: .utf8)
            try #require(response.status == 0, "\(address): \(log)")
        }
    }

    /// The configuration without the sections that the change has, and with the change.
    private static func replacing(sectionsOf text: String, by change: String) -> String {
        let name = { (line: Substring) in line.prefixMatch(of: /[a-z]+:/).map { String($0.output) } }
        let replaced = Set(change.split(separator: "\n").compactMap(name))
        var keeps = true
        let kept = text.split(separator: "\n").filter { line in
            if let section = name(line) { keeps = !replaced.contains(section) }
            return keeps
        }
        return kept.joined(separator: "\n") + "\n" + change
    }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    /// Puts an object into the storage with its credentials, as an operator does.
    func upload(_ content: Data, to path: String, type: String = "application/octet-stream") async throws {
        let file = folder.appending(path: "upload")
        try content.write(to: file)
        let configuration = store.deletingLastPathComponent().appending(path: "presign.yaml").path()
        let script = """
            set -e
            URL=$('\(try #require(PresignProcess.binary))' url PUT '\(path)' --config '\(configuration)' \
                --content-type '\(type)')
            curl -fsS -H 'Content-Type: \(type)' -T '\(file.path())' "$URL"
            """
        let run = try await Command.run("/bin/sh", ["-c", script])
        try #require(run.status == 0, "\(run.errors)")
    }
}
