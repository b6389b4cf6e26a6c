import Foundation
import Testing

@Suite("config/quickstart.sh", .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct QuickstartTests {
    @Test("It starts the service, and its printed commands upload and download a file; a restart keeps the key")
    func printedCommands() async throws {
        try await withTemporaryDirectory { folder in
            var keys: Set<String> = []
            for content in ["first", "second"] {
                let server = try await Quickstart.start(in: folder)
                keys.insert(try server.apiKey)
                let commands = try server.commands.replacing("echo Hello", with: "echo \(content)")
                let run = try await Command.run("/bin/sh", ["-ec", "cd '\(folder.path())'\n\(commands)"])
                #expect(run.status == 0 && run.output == content + "\n", "\(commands): \(run)")
                let lines = commands.split(separator: "\n")
                #expect(lines.allSatisfy { $0.count <= 90 }, "they would wrap on a terminal: \(commands)")
                #expect(await server.end(SIGTERM) == 0)
            }
            #expect(keys.count == 1)
        }
    }

    @Test("Its options are passed to the service, with and without a directory")
    func options() async throws {
        try await withTemporaryDirectory { folder in
            let server = try await Quickstart.start(in: folder, ["--cors-origin", "http://localhost:5173"])
            let preflight = try await HTTP.send(
                "OPTIONS", "http://\(server.service)/presign",
                headers: ["Origin": "http://localhost:5173", "Access-Control-Request-Method": "POST"])
            #expect(preflight.headers["access-control-allow-origin"] == "http://localhost:5173")
            #expect(await server.end(SIGTERM) == 0)
        }
        let cases: [(arguments: [String], command: String)] = [
            ([], "--local .presign-local"), (["--new-key"], "--local .presign-local"), (["/d"], "--local /d"),
            (["/d", "--new-key", "--cors-origin", "http://a b"], "--local /d"),
        ]
        for (arguments, directory) in cases {
            let run = try await Command.run(Quickstart.script, arguments, environment: ["PRESIGN_BINARY": "/bin/echo"])
            let options = arguments.drop { !$0.hasPrefix("-") }.map { " " + $0 }.joined()
            #expect(run.output.contains(directory + " --listen 127.0.0.1:8080"), "\(run)")
            #expect(run.output.hasSuffix("--local-listen 127.0.0.1:8081\(options)\n"), "\(run)")
        }
    }

    @Test("On a terminal the log is text", .pythonClients)
    func terminal() async throws {
        try await withTemporaryDirectory { folder in
            let data = folder.appending(path: "data").path()
            let shown = try await Python.run(
                "terminal", [Quickstart.script, data], environment: try Quickstart.environment)
            let lines = shown.split(whereSeparator: \.isNewline).map(String.init)
            #expect(!shown.contains("{\""), "\(shown)")
            for expected in [
                /\d\d:\d\d:\d\dZ 200 POST \/presign uploads\/a.txt \d+\.\d ms/,
                /\d\d:\d\d:\d\dZ 403 POST \/presign elsewhere\/a \d+\.\d ms \(.+\)/,
                /\d\d:\d\d:\d\dZ notice listening \(address 127\.0\.0\.1:\d+.*\)/,
                /\d\d:\d\d:\d\dZ notice stopped/,
            ] {
                #expect(lines.contains { $0.wholeMatch(of: expected) != nil }, "\(shown)")
            }
        }
    }

    @Test(
        "The printed commands show errors of the service or the storage, and fail",
        arguments: ["sh", "bash"])
    func refusals(shell: String) async throws {
        let cases: [(change: (old: String, new: String), says: String)] = [
            (("KEY=psk_local", "KEY=psk_other"), "error 401 "), (("path=uploads/", "path=elsewhere/"), "error 403 "),
            (("-T hello.txt", "-T hello.txt -H 'x-amz-meta-a: 1'"), "<Code>AccessDenied</Code>"),
            (("uploads/hello.txt)", "uploads/missing)"), "<Code>NoSuchKey</Code>"),
            (("-T hello.txt", "-T missing"), "missing"),
        ]
        try await withTemporaryDirectory { folder in
            let server = try await Quickstart.start(in: folder)
            for (change, says) in cases {
                let commands = try server.commands
                try #require(commands.contains(change.old))
                let changed = commands.replacing(change.old, with: change.new)
                let run = try await Command.run("/usr/bin/env", [shell, "-ec", "cd '\(folder.path())'\n\(changed)"])
                #expect(run.status != 0 && (run.output + run.errors).contains(says), "\(changed): \(run)")
                #expect(!run.errors.contains("bad/illegal format"), "\(run)")
                #expect(!run.output.contains("X-Amz-Signature="), "a URL looks like the error: \(run)")
            }
            #expect(await server.end(SIGTERM) == 0)
        }
    }

    @Test("Its rules apply: types, sizes, other users' folders, and paths without a rule")
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
            let server = try await Quickstart.start(in: folder)
            for (form, status) in cases {
                let response = try await HTTP.send(
                    "POST", "http://\(server.service)/presign",
                    headers: [
                        "X-API-Key": try server.apiKey, "Content-Type": "application/x-www-form-urlencoded",
                    ], body: Data(form.utf8))
                #expect(response.status == status, "\(form): \(response.text)")
            }
            #expect(await server.end(SIGTERM) == 0)
        }
    }
}
