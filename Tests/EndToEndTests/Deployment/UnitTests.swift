import Foundation
import SocketTestSupport
import Testing

@Suite(
    "systemd units", .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"),
    .program("/usr/bin/systemd-analyze", "Debian's package systemd has it"))
struct UnitTests {
    private static let units = ["presign.service", "presign.socket"]

    /// Copies of the units with the path of the built command.
    private func withUnits(_ body: ([String]) async throws -> Void) async throws {
        let binary = try #require(PresignProcess.binary)
        try await withTemporaryDirectory { folder in
            let copies = try Self.units.map { name in
                let text = try String(contentsOf: Deployment.file("config/\(name)"), encoding: .utf8)
                let copy = folder.appending(path: name)
                try Data(text.replacing("/usr/local/bin/presign", with: binary).utf8).write(to: copy)
                return copy.path()
            }
            try await body(copies)
        }
    }

    @Test("systemd-analyze verify reports nothing, not even a warning")
    func verify() async throws {
        try await withUnits { units in
            let result = try await Command.run("/usr/bin/systemd-analyze", ["verify"] + units)
            #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty, "\(result)")
        }
    }

    /// The commands in the head of the service unit.
    private static func commands() throws -> [String] {
        try String(contentsOf: Deployment.file("config/presign.service"), encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("#   ") }.map { String($0.dropFirst(4)) }
    }

    @Test("The binary of the printed commands is the one of these tests, and loads only from where the unit lets it")
    func installation() async throws {
        let commands = try Self.commands()
        let words = { (text: Substring) in Set(text.split(separator: " ").map(String.init)) }
        let script = try String(contentsOf: Deployment.file("Tests/install.sh"), encoding: .utf8)
        let tested = try #require(script.firstMatch(of: /(?m)^ *local release=\((.*)\)$/)).1
        let printed = try #require(commands.first?.firstMatch(of: /^swift build (.*)$/)).1
        #expect(words(printed) == words(tested))

        try await withTemporaryDirectory { folder in
            let binary = try #require(PresignProcess.binary)
            let root = folder.path()
            try Data("version: 1\n".utf8).write(to: folder.appending(path: "presign.yaml"))
            let install = commands.filter { $0.hasPrefix("install ") }.joined(separator: "\n")
                .replacing(".build/release/presign", with: "'\(binary)'").replacing(" /usr/", with: " \(root)/usr/")
                .replacing(" /etc/", with: " \(root)/etc/").replacing(
                    "config/", with: Deployment.file("config/").path())
            let script = "cd '\(root)' && mkdir -p usr/local/bin etc/systemd/system\n\(install)"
            let run = try await Command.run("/bin/sh", ["-euc", script])
            #expect(run.status == 0 && install.split(separator: "\n").count == 3, "\(run)")
            let loaded = try await Command.run("/usr/bin/ldd", ["\(root)/usr/local/bin/presign"])
            let paths = loaded.output.matches(of: /\/\S+/).map { String($0.output) }
            let isRelease = binary.contains("/release/")
            try #require(paths.count > 3, "\(loaded)")
            for path in paths where isRelease {
                #expect(["/usr/lib/", "/lib/", "/lib64/"].contains { path.hasPrefix($0) }, "\(path)")
                #expect(!path.contains("swift"))
            }
            let unit = try String(
                contentsOf: folder.appending(path: "etc/systemd/system/presign.service"), encoding: .utf8)
            #expect(unit.contains("\nExecPaths=/usr/local/bin/presign /usr/lib -/lib -/lib64 "))
        }
    }

    @Test("The exposure level is at most 2.0")
    func exposure() async throws {
        try await withUnits { units in
            let result = try await Command.run(
                "/usr/bin/systemd-analyze", ["security", "--offline=true", "--threshold=20", "--no-pager", units[0]])
            #expect(result.status == 0 && result.output.contains("Overall exposure level"), "\(result)")
        }
    }

    @Test(
        "The unit allows every system call that the service makes", .program("/usr/bin/strace", "Debian has it"))
    func systemCalls() async throws {
        try await withTemporaryDirectory { folder in
            let configuration = folder.appending(path: "presign.yaml")
            let port = try FreePort.next()
            let text = """
                version: 1
                server: {listen: ["127.0.0.1:\(port)"]}
                stores: {main: {bucket: b, region: us-east-1, endpoint: "https://127.0.0.1:1", credentials: environment}}
                auth: {guest: true}
                page: true
                audit: {to: \(folder.path())/audit}
                rules: [{path: "**", allow: {everyone: [read]}}]
                """
            try Data(text.utf8).write(to: configuration)
            let result = try await Command.run(
                "/usr/bin/env",
                [
                    "python3", Deployment.file("Tests/deployment/system_calls.py").path(),
                    Deployment.file("config/presign.service").path(), try #require(PresignProcess.binary), "serve",
                    "--config", configuration.path(),
                ],
                environment: [
                    "PORT": "\(port)", "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "x",
                    "NOTIFY_SOCKET": "@presign-nobody", "WATCHDOG_USEC": "100000",
                ])
            #expect(result.status == 0, "\(result)")
            #expect(try #require(Int(result.output.trimmingCharacters(in: .newlines))) > 30)
        }
    }
}
