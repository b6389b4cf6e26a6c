import Foundation
import TestSupport
import Testing

@Suite("Configuration reload", .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct ReloadTests {
    @Test("SIGHUP loads new rules; an invalid file keeps the old ones, and the log has reason and position")
    func signal() async throws {
        try await Loads.serving { service in
            try await service.expect(200, "before")
            try service.rewrite("[read, write, delete, multipart]", "[read]")
            #expect(kill(service.identifier, SIGHUP) == 0)
            try await service.settles("after SIGHUP") { try await service.status() == 403 }
            try service.rewrite("version: 1", "version: one")
            #expect(kill(service.identifier, SIGHUP) == 0)
            try await service.settles("the mistake is logged") {
                try service.logged("reload-failed").contains { $0.contains("presign.yaml:1:10: `version`") }
            }
            try await service.expect(403, "after an invalid file")
        }
    }

    @Test("A changed file is loaded without a signal, also if it was replaced by renaming")
    func watching() async throws {
        try await Loads.serving { service in
            let text = try String(contentsOf: service.configuration, encoding: .utf8)
            let narrower = text.replacing("[read, write, delete, multipart]", with: "[read]")
            try Data(narrower.utf8).write(to: service.configuration, options: .atomic)
            try await service.settles("after a rename") { try await service.status() == 403 }
            try Data(text.utf8).write(to: service.configuration)
            try await service.settles("after a rewrite") { try await service.status() == 200 }
            // The log line is written after the reload.
            try await service.settles("both reloads are logged") { try service.logged("reloaded").count >= 2 }
            #expect(try service.logged("reloaded").count == 2)
        }
    }

    @Test("A file that is created after the configuration that names it is found; nothing is loaded twice")
    func lateFile() async throws {
        try await Loads.serving { service in
            let key = service.configuration.deletingLastPathComponent().appending(path: "late.secret")
            let issuer = "{name: n, issuer: i, audience: a, algorithms: [HS256], secretFile: \(key.path())}"
            try service.rewrite("auth: {", "auth: {jwt: [\(issuer)], ")
            #expect(kill(service.identifier, SIGHUP) == 0)
            try await service.settles("the missing file is logged") {
                try service.logged("reload-failed").count == 1
            }
            try Data(String(repeating: "s", count: 32).utf8).write(to: key)
            try await service.settles("the file is loaded") { try service.logged("reloaded").count == 1 }
            #expect(try service.logged("reloaded").count == 1 && service.logged("reload-failed").count == 1)
        }
    }

    @Test("A file that is still being written is not loaded, even while a failed reload is retried")
    func slowlyWritten() async throws {
        try await Loads.serving { service in
            let text = try String(contentsOf: service.configuration, encoding: .utf8)
            try service.rewrite("version: 1", "version: one")
            #expect(kill(service.identifier, SIGHUP) == 0)
            try await service.settles("the mistake is logged") { try service.logged("reload-failed").count == 1 }
            let whole = service.configuration.deletingLastPathComponent().appending(path: "whole")
            try Data(text.utf8).write(to: whole)
            // By another program, because the tasks of a busy test process are late. Its pauses are longer together than
            // the first two before a retry.
            let writing = """
                cat "$1" >"$0"; for i in $(seq 28); do echo '# more' >>"$0"; sleep 0.25; done
                echo 'deny: [{path: "**"}]' >>"$0"
                """
            let run = try await Command.run("/bin/sh", ["-c", writing, service.configuration.path(), whole.path()])
            #expect(run.status == 0, "\(run.errors)")
            try await service.settles("its last line applies") { try await service.status() == 403 }
            // The log line is written after the reload.
            try await service.settles("the reload is logged") { try !service.logged("reloaded").isEmpty }
            #expect(try service.logged("reloaded").count == 1)
        }
    }

    @Test("SIGHUP in the middle of a write does not load the half that is there, also if it is a valid configuration")
    func halfWritten() async throws {
        try await Loads.serving { service in
            let text = try String(contentsOf: service.configuration, encoding: .utf8)
            let denying = text + "deny: [{path: \"**\"}]\n"
            try Data(denying.utf8).write(to: service.configuration, options: .atomic)
            #expect(kill(service.identifier, SIGHUP) == 0)
            try await service.settles("`deny` applies") { try await service.status() == 403 }
            try await service.settles("the reload is logged") { try service.logged("reloaded").count == 1 }
            // By another program, because the tasks of a busy test process are late. It asks for a reload while the file
            // ends before `deny`.
            let whole = service.configuration.deletingLastPathComponent().appending(path: "whole")
            try Data(text.utf8).write(to: whole)
            let writing = """
                cat "$1" >"$0"; kill -HUP "$2"
                for i in $(seq 15); do sleep 0.1; echo '# more' >>"$0"; kill -HUP "$2"; done
                echo 'deny: [{path: "**"}]' >>"$0"
                """
            let run = try await Command.run(
                "/bin/sh", ["-c", writing, service.configuration.path(), whole.path(), "\(service.identifier)"])
            #expect(run.status == 0, "\(run.errors)")
            try await service.settles("the whole file is loaded") { try service.logged("reloaded").count == 2 }
            try await service.expect(403, "after the whole file")
            #expect(try service.logged("reloaded").count == 2 && service.logged("reload-failed").isEmpty)
        }
    }

    @Test("Changes that need a restart are named; the others apply immediately")
    func restart() async throws {
        try await Loads.serving { service in
            try service.rewrite("server: {", "server: {loops: 3, ")
            try service.rewrite("[read, write, delete, multipart]", "[read]")
            #expect(kill(service.identifier, SIGHUP) == 0)
            try await service.settles("after SIGHUP") { try await service.status() == 403 }
            // The log line is written after the reload.
            try await service.settles("the section is named") {
                try String(contentsOf: service.log, encoding: .utf8)
                    .contains("changes in server take effect after a restart")
            }
        }
    }
}

extension PresignProcess {
    /// The status of the standing request.
    fileprivate func status() async throws -> Int {
        try await HTTP.send(
            "POST", "http://\(address)/presign", headers: ["X-API-Key": apiKey, "Content-Type": "application/json"],
            body: Data(Loads.body.utf8)
        ).status
    }

    fileprivate func expect(_ expected: Int, _ moment: Comment) async throws {
        let found = try await status()
        #expect(found == expected, moment)
    }

    func rewrite(_ old: String, _ new: String) throws {
        let text = try String(contentsOf: configuration, encoding: .utf8)
        try #require(text.contains(old))
        try Data(text.replacing(old, with: new).utf8).write(to: configuration)
    }

    /// The lines of the diagnostics for an event.
    func logged(_ event: String) throws -> [Substring] {
        try String(contentsOf: log, encoding: .utf8).split(separator: "\n").filter {
            $0.contains(#""event":"\#(event)""#)
        }
    }

    func settles(_ what: Comment, _ isReached: () async throws -> Bool) async throws {
        let isReached = try await eventually(within: .seconds(30 * Loads.slowness), isReached)
        try #require(isReached, what)
    }
}
