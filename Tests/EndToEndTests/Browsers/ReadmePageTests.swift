import Foundation
import TestSupport
import Testing

extension Browsers {
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

        @Test("With a wrong key it shows why nothing was uploaded")
        func refusal() async throws {
            try await withTemporaryDirectory { folder in
                let server = try await Quickstart.start(in: folder)
                let page = try page(service: server.service, key: "psk_local_wrong")
                try await ScriptedServer.run(page: page) { site in
                    let says = "document.querySelector('output').value.startsWith('The credentials are not valid')"
                    try await upload(from: "http://localhost:\(site.port)/", on: .chromium, in: folder, until: says)
                }
                #expect(await server.end(SIGTERM) == 0)
            }
        }

        @Test("After \"Use a real bucket\" the built-in page lists the folder, and sends a large file in parts")
        func builtInPage() async throws {
            try await withTemporaryDirectory { folder in
                let port = try FreePort.next()
                let page = "http://127.0.0.1:\(port)"
                let key = try await configure(origin: "https://app.example.com", page: page, in: folder)
                try await bucket(in: folder) { bucket in
                    let configuration = folder.appending(path: "presign.yaml")
                    let text = try String(contentsOf: configuration, encoding: .utf8)
                    let store = "listing: true, endpoint: \"http://\(bucket.storage)\"}"
                    try Data(text.replacing("listing: true}", with: store).utf8).write(to: configuration)
                    let requests = folder.appending(path: "requests")
                    let (process, exit) = try Command.start(
                        try #require(PresignProcess.binary),
                        ["serve", "--config", configuration.path(), "--listen", "127.0.0.1:\(port)"],
                        environment: ["AWS_SHARED_CREDENTIALS_FILE": folder.appending(path: "data/credentials").path()],
                        output: requests, errors: folder.appending(path: "service.errors"))
                    defer { kill(process.processIdentifier, SIGKILL) }
                    #expect(try await eventually { (try? await HTTP.send("GET", page + "/readyz"))?.status == 200 })
                    let video = folder.appending(path: "video.mp4")
                    try Data(count: 17 << 20).write(to: video)
                    try await Browser.open { browser in
                        try await browser.go(to: "\(page)/#key=\(key)&folder=uploads")
                        try await browser.wait(until: "document.querySelector('#files')?.offsetParent !== undefined")
                        try await browser.choose([video])
                        try await browser.wait(until: "document.body.innerText.includes('1 file uploaded')")
                        try await browser.go(to: "\(page)/#folder=uploads")
                        try await browser.reload()
                        try await browser.wait(until: "document.body.innerText.includes('video.mp4')")
                    }
                    let log = try String(contentsOf: requests, encoding: .utf8)
                    #expect(log.contains(#""action":"multipart""#) && log.contains(#""action":"list""#), "\(log)")
                    kill(process.processIdentifier, SIGTERM)
                    #expect(await exit.first { _ in true } == 0)
                }
            }
        }

        /// Runs the body with a storage that plays the bucket: with its name, and the CORS rules of step 3.
        private func bucket(in folder: URL, _ body: (LocalProcess) async throws -> Void) async throws {
            struct Rules: Decodable {
                struct Rule: Decodable { let AllowedOrigins: [String] }
                let CORSRules: [Rule]
            }
            let rules = try Data(contentsOf: folder.appending(path: "bucket-cors.json"))
            let origins = try JSONDecoder().decode(Rules.self, from: rules).CORSRules.flatMap(\.AllowedOrigins)
            #expect(origins.count == 2)
            let configuration = folder.appending(path: "bucket.yaml")
            let text = "version: 1\nstores: {media: {bucket: acme-media, region: eu-west-1}}\nrules: []\n"
            try Data(text.utf8).write(to: configuration)
            let server = try await LocalProcess.start(
                in: folder,
                program: (
                    try #require(PresignProcess.binary),
                    ["serve", "--config", configuration.path(), "--local", folder.appending(path: "data").path()]
                        + origins.flatMap { ["--cors-origin", $0] } + LocalProcess.freePorts, [:]
                ))
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(server)) } catch { outcome = .failure(error) }
            #expect(await server.end(SIGTERM) == 0)
            try outcome.get()
        }

        private static let readme = Result { try MarkdownDocument(path: "README.md") }

        /// The page with the address and the key of a service.
        private func page(service: String, key: String) throws -> String {
            let pages = try Self.readme.get().blocks.filter { $0.language == "html" }
            try #require(pages.count == 1)
            return pages[0].text.replacing("127.0.0.1:8080", with: service).replacing("psk_...", with: key)
        }

        /// Runs the blocks that create the key, the bucket's CORS rules and the configuration; returns the key.
        private func configure(
            origin: String, page: String = "http://127.0.0.1:8080", in folder: URL
        ) async throws -> String {
            let names = ["BUCKET=acme-media", "presign key new web", "config/bucket-cors.json", "cat > presign.yaml"]
            let blocks = try Self.readme.get().blocks.filter { block in
                block.language == "sh" && names.contains { block.text.contains($0) }
            }
            try #require(blocks.count == names.count)
            let commands = blocks.map(\.text).joined().split(separator: "\n").filter { !$0.hasPrefix("aws ") }
                .joined(separator: "\n").replacing("ORIGIN=https://app.example.com", with: "ORIGIN=\(origin)")
                .replacing("PAGE=http://127.0.0.1:8080", with: "PAGE=\(page)")
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "config"),
                withDestinationURL: TestSupport.Repository.root.appending(path: "config"))
            let binaries = (try #require(PresignProcess.binary) as NSString).deletingLastPathComponent
            let run = try await Command.run(
                "/bin/sh", ["-euc", "cd '\(folder.path())'\n\(commands)\nprintf '\\n%s' \"$KEY\""],
                environment: ["PATH": "\(binaries):/usr/bin:/bin"])
            try #require(run.status == 0 && !run.output.contains("note: "), "\(run)")
            return try #require(run.output.split(separator: "\n").last.map(String.init))
        }

        private func upload(
            from page: String, on kind: Browser.Kind, in folder: URL,
            until condition: String = "document.body.textContent.includes('Uploaded to uploads/hello.txt')"
        ) async throws {
            let file = folder.appending(path: "hello.txt")
            try Data("Hello".utf8).write(to: file)
            try await Browser.open(kind) { browser in
                try await browser.go(to: page)
                try await browser.wait(until: "document.querySelector('input')?.onchange")
                try await browser.type(file.path(), into: "input")
                try await browser.wait(until: condition)
            }
        }

        private func content(of path: String, at server: LocalProcess, key: String) async throws -> String {
            try await HTTP.send("GET", try await server.url("GET", path, key: key)).text
        }
    }
}
