import Foundation
import TestSupport
import Testing

extension BrowserTests {
    @Suite("The page in README.md, opened from another origin")
    struct ReadmePageTests {
        @Test(
            "It uploads to the service that config/quickstart.sh starts, as printed", arguments: Browser.Kind.allCases)
        func quickstart(kind: Browser.Kind) async throws {
            try await withTemporaryDirectory { folder in
                let server = try await Quickstart.start(in: folder)
                try await ScriptedServer.run(page: try page(service: server.service, key: server.apiKey)) { site in
                    try await upload(from: "http://localhost:\(site.port)/", on: kind, in: folder)
                }
                #expect(try await content(of: "uploads/hello.txt", at: server, key: server.apiKey) == "Hello")
                #expect(await server.end(SIGTERM) == 0)
            }
        }

        @Test("After \"Use a real bucket\" it uploads with the new key from the configured origin")
        func bucket() async throws {
            try await withTemporaryDirectory { folder in
                let port = try FreePort.next()
                let key = try await configure(origin: "http://127.0.0.1:\(port)", in: folder)
                let configuration = folder.appending(path: "presign.yaml").path()
                let server = try await LocalProcess.start(
                    in: folder,
                    program: (
                        try #require(PresignProcess.binary),
                        ["serve", "--config", configuration, "--local", folder.appending(path: "data").path()]
                            + LocalProcess.freePorts, [:]
                    ))
                try await ScriptedServer.run(port: port, page: try page(service: server.service, key: key)) { site in
                    try await upload(from: "http://127.0.0.1:\(site.port)/", on: .chromium, in: folder)
                }
                #expect(try await content(of: "uploads/hello.txt", at: server, key: key) == "Hello")
                #expect(await server.end(SIGTERM) == 0)
            }
        }

        private static let readme = Result { try MarkdownDocument(path: "README.md") }

        /// The page with the address and the key of a service.
        private func page(service: String, key: String) throws -> String {
            let pages = try Self.readme.get().blocks.filter { $0.language == "html" }
            try #require(pages.count == 1)
            return pages[0].text.replacing("127.0.0.1:8080", with: service).replacing("psk_...", with: key)
        }

        /// Runs the blocks that create the key and the configuration; returns the key.
        private func configure(origin: String, in folder: URL) async throws -> String {
            let blocks = try Self.readme.get().blocks.filter { block in
                ["BUCKET=acme-media", "presign key new web", "cat > presign.yaml"].contains { block.text.contains($0) }
            }
            try #require(blocks.count == 3)
            let commands = blocks.map(\.text).joined().replacing("https://app.example.com", with: origin)
            let binaries = (try #require(PresignProcess.binary) as NSString).deletingLastPathComponent
            let run = try await Command.run(
                "/bin/sh", ["-euc", "cd '\(folder.path())'\n\(commands)printf '\\n%s' \"$KEY\""],
                environment: ["PATH": "\(binaries):/usr/bin:/bin"])
            try #require(run.status == 0, "\(run)")
            return try #require(run.output.split(separator: "\n").last.map(String.init))
        }

        private func upload(from page: String, on kind: Browser.Kind, in folder: URL) async throws {
            let file = folder.appending(path: "hello.txt")
            try Data("Hello".utf8).write(to: file)
            try await Browser.open(kind) { browser in
                try await browser.go(to: page)
                try await browser.wait(until: "document.querySelector('input')?.onchange")
                try await browser.type(file.path(), into: "input")
                try await browser.wait(until: "document.body.textContent.includes('Uploaded to uploads/hello.txt')")
            }
        }

        private func content(of path: String, at server: LocalProcess, key: String) async throws -> String {
            try await HTTP.send("GET", try await server.url("GET", path, key: key)).text
        }
    }
}
