import Foundation
import Testing

@Suite("config/quickstart.sh", .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct QuickstartTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../config/quickstart.sh").standardized.path()

    @Test("It starts the service, and the commands it prints upload and download a file; again, too")
    func printedCommands() async throws {
        try await withTemporaryDirectory { folder in
            for content in ["first", "second"] {
                let server = try await start(in: folder)
                try Data(content.utf8).write(to: folder.appending(path: "FILE"))
                for name in ["upload", "download"] {
                    let line = try #require(server.banner.split(separator: "\n").first { $0.hasPrefix("  \(name) ") })
                    let command = line.dropFirst(name.count + 2)
                    let run = try await Command.run("/bin/sh", ["-c", "cd '\(folder.path())' && \(command)"])
                    #expect(run.status == 0 && !run.output.contains("<Error>"), "\(command): \(run)")
                }
                let copy = try String(contentsOf: folder.appending(path: "COPY"), encoding: .utf8)
                #expect(copy == content)
                #expect(await server.end(SIGTERM) == 0)
            }
        }
    }

    @Test("Its rules hold: types, sizes, other people's folders, and what no rule names")
    func rules() async throws {
        let cases: [(form: String, status: Int)] = [
            ("path=uploads/a&method=PUT", 200), ("path=images/a.png&method=PUT", 422),
            ("path=images/a.png&method=PUT&contentType=image/png&contentLength=1000", 200),
            ("path=images/a.html&method=PUT&contentType=text/html&contentLength=1000", 422),
            ("path=images/a.png&method=PUT&contentType=image/png&contentLength=100000000", 422),
            ("path=private/local/a&method=PUT", 200), ("path=private/somebody/a", 403),
            ("path=archive/a&method=DELETE", 403), ("path=archive/a&method=PUT", 200), ("path=elsewhere/a", 403),
        ]
        try await withTemporaryDirectory { folder in
            let server = try await start(in: folder)
            for (form, status) in cases {
                let answer = try await Curl.send(
                    "POST", "http://\(server.service)/presign",
                    headers: [
                        "X-API-Key": try server.apiKey, "Content-Type": "application/x-www-form-urlencoded",
                    ], body: Data(form.utf8))
                #expect(answer.status == status, "\(form): \(answer.text)")
            }
            #expect(await server.end(SIGTERM) == 0)
        }
    }

    private func start(in folder: URL) async throws -> LocalProcess {
        let environment = [
            "PRESIGN_BINARY": try #require(PresignProcess.binary), "PRESIGN_LISTEN": "127.0.0.1:0",
            "PRESIGN_LOCAL_LISTEN": "127.0.0.1:0",
        ]
        return try await LocalProcess.start(
            in: folder, program: (Self.script, [folder.appending(path: "data").path()], environment))
    }
}
