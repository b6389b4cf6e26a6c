import Foundation
import SocketTestSupport
import TestSupport
import Testing

@Suite("Start and stop of serve --local", .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct StartTests {
    private static func serve(_ folder: URL, _ arguments: [String], redirect: String = "") async throws
        -> Command.Result
    {
        let command = "exec \"$0\" serve \"$@\" \(redirect)"
        let data = ["--local", folder.appending(path: "data").path()]
        return try await Command.run(
            "/bin/sh", ["-c", command, try #require(PresignProcess.binary)] + data + arguments)
    }

    private static func hasKey(_ folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: "data/api-key").path())
    }

    @Test("A failed start stores no key, so that the next one shows it")
    func failedFirst() async throws {
        try await withTemporaryDirectory { folder in
            let other = try await LocalProcess.start(in: folder.appending(path: "other", create: true))
            let busy = ["--listen", other.service, "--local-listen", "127.0.0.1:0"]
            let run = try await Self.serve(folder, busy)
            #expect(run.status == 71 && run.errors.contains("in use"), "\(run)")
            let unread = try await Self.serve(folder, LocalProcess.freePorts, redirect: ">/dev/full")
            #expect(unread.status == 71 && unread.errors.contains("standard output"), "\(unread)")
            #expect(!Self.hasKey(folder))
            let server = try await LocalProcess.start(in: folder)
            #expect(try server.apiKey.hasPrefix("psk_local_"))
            #expect(await server.end(SIGTERM) == 0)
            #expect(await other.end(SIGTERM) == 0)
        }
    }

    @Test(
        "A start with too few file descriptors names the limit and how to raise it", arguments: [8, 12, 20])
    func descriptors(limit: Int) async throws {
        try await withTemporaryDirectory { folder in
            let script = #"ulimit -n \#(limit); exec "$0" serve --local "$1""#
            let run = try await Command.run(
                "/bin/sh", ["-c", script, try #require(PresignProcess.binary), folder.appending(path: "data").path()])
            #expect(run.status == 71 && run.errors.contains("the limit of \(limit) open files is too low"), "\(run)")
            #expect(run.errors.split(separator: "\n").count == 1, "\(run)")
        }
    }

    @Test("The key is shown at each start and readable only by its owner; --new-key replaces it")
    func keys() async throws {
        try await withTemporaryDirectory { folder in
            let first = try await LocalProcess.start(in: folder)
            let key = try first.apiKey
            #expect(await first.end(SIGTERM) == 0)
            let second = try await LocalProcess.start(in: folder)
            #expect(try second.apiKey == key && second.banner.contains("--new-key"))
            _ = try await second.url("GET", "a", key: key)
            let file = folder.appending(path: "data/api-key").path()
            #expect(try String(contentsOfFile: file, encoding: .utf8) == key + "\n")
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
            #expect(await second.end(SIGTERM) == 0)
            let arguments = ["serve", "--local", folder.appending(path: "data").path(), "--new-key"]
            let program = (try #require(PresignProcess.binary), arguments + LocalProcess.freePorts, [String: String]())
            let third = try await LocalProcess.start(in: folder, program: program)
            _ = try await third.url("GET", "a", key: third.apiKey)
            let old = try await HTTP.send(
                "POST", "http://\(third.service)/presign", headers: ["X-API-Key": key], body: Data("path=a".utf8))
            #expect(old.status == 401)
            #expect(await third.end(SIGTERM) == 0)
        }
    }

    @Test(
        "An invalid key file is reported in one line at every attempt",
        arguments: [
            "bad", "sha256:" + String(repeating: "0", count: 64), "psk_other_" + String(repeating: "A", count: 43),
        ])
    func brokenKey(content: String) async throws {
        try await withTemporaryDirectory { folder in
            let server = try await LocalProcess.start(in: folder)
            #expect(await server.end(SIGTERM) == 0)
            try Data((content + "\n").utf8).write(to: folder.appending(path: "data/api-key"))
            for _ in 0..<5 {
                let run = try await Self.serve(folder, LocalProcess.freePorts)
                #expect(run.status == 78 && run.errors.split(separator: "\n").count == 1, "\(run)")
                #expect(run.errors.contains("--new-key"))
            }
        }
    }

    @Test("The printed addresses are those it listens on", arguments: ["127.0.0.2:0", "0.0.0.0:0"] + IPv6.loopback)
    func addresses(listen: String) async throws {
        try await withTemporaryDirectory { folder in
            let arguments = [
                "serve", "--local", folder.appending(path: "data").path(), "--listen", listen, "--local-listen",
                "127.0.0.1:0",
            ]
            let server = try await LocalProcess.start(
                in: folder, program: (try #require(PresignProcess.binary), arguments, [:]))
            let line = try #require(server.banner.split(separator: "\n").first { $0.hasPrefix("  page ") })
            let page = try #require(line.split(separator: " ").last?.split(separator: "#").first)
            #expect(try await Curl.send("GET", String(page)).status == 200, "\(page)")
            let origin = String(page.dropLast())
            let preflight = try await Curl.send(
                "OPTIONS", "http://\(server.storage)/local/a",
                headers: ["Origin": origin, "Access-Control-Request-Method": "PUT"])
            #expect(preflight.headers["access-control-allow-origin"] == origin)
            #expect(await server.end(SIGTERM) == 0)
        }
    }

    @Test("A reload applies changed origins to the storage too")
    func changedOrigins() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "presign.yaml")
            func write(_ origin: String) throws {
                let text = """
                    version: 1
                    stores: {local: {bucket: local, region: us-east-1}}
                    rules: [{path: "**", allow: {authenticated: [read, write]}}]
                    cors: {origins: ["\(origin)"]}
                    """
                try Data(text.utf8).write(to: file)
            }
            try write("http://old.example")
            let arguments = [
                "serve", "--config", file.path(), "--local", folder.appending(path: "data").path(),
            ]
            let server = try await LocalProcess.start(
                in: folder, program: (try #require(PresignProcess.binary), arguments + LocalProcess.freePorts, [:]))
            func status(_ origin: String) async throws -> Int {
                try await HTTP.send(
                    "OPTIONS", "http://\(server.storage)/local/a",
                    headers: ["Origin": origin, "Access-Control-Request-Method": "PUT"]
                ).status
            }
            #expect(try await status("http://old.example") == 200)
            try write("http://new.example")
            kill(server.identifier, SIGHUP)
            #expect(try await eventually { try await status("http://new.example") == 200 })
            #expect(try await status("http://old.example") == 403)
            #expect(await server.end(SIGTERM) == 0)
        }
    }

    @Test("On a Unix socket the key is shown too, and the printed commands work")
    func unixSocket() async throws {
        try await withTemporaryDirectory { folder in
            let socket = folder.appending(path: "s").path()
            let arguments = [
                "serve", "--local", folder.appending(path: "data").path(), "--listen", "unix:\(socket)",
                "--local-listen", "127.0.0.1:0",
            ]
            let server = try await LocalProcess.start(
                in: folder, program: (try #require(PresignProcess.binary), arguments, [:]))
            let run = try await Command.run("/bin/sh", ["-ec", "cd '\(folder.path())'\n\(server.commands)"])
            #expect(run.status == 0 && run.output == "Hello\n", "\(run)")
            #expect(await server.end(SIGTERM) == 0)
        }
    }

    @Test("Stalled requests on both ports delay the end by one drain timeout, not two")
    func drain() async throws {
        try await withTemporaryDirectory { folder in
            let configuration = folder.appending(path: "c.yaml")
            try Data(
                """
                version: 1
                server: {timeouts: {drain: 4s}}
                stores: {local: {bucket: local, region: us-east-1}}
                rules: [{path: "**", allow: {authenticated: [read, write]}}]

                """.utf8
            ).write(to: configuration)
            let arguments = [
                "serve", "--config", configuration.path(), "--local", folder.appending(path: "data").path(),
            ]
            let server = try await LocalProcess.start(
                in: folder, program: (try #require(PresignProcess.binary), arguments + LocalProcess.freePorts, [:]))
            let url = try await server.url("PUT", "a", key: server.apiKey)
            let target = try #require(url.components(separatedBy: server.storage).last)
            let stalled = [
                try Stall(server.service, "POST /presign HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx"),
                try Stall(
                    server.storage, "PUT \(target) HTTP/1.1\r\nHost: \(server.storage)\r\nContent-Length: 9\r\n\r\nx"),
            ]
            #expect(await server.end(SIGTERM) == 0)
            // By the process's own clock, because this test may run late on a busy machine. One after the other they
            // would take eight seconds.
            let log = try String(contentsOf: folder.appending(path: "errors"), encoding: .utf8)
            #expect(4..<8 ~= (try Self.time(of: "stopped", in: log) - Self.time(of: "stopping", in: log)), "\(log)")
            #expect(stalled.count == 2)
        }
    }

    /// The second in which the event was logged.
    private static func time(of event: String, in log: String) throws -> Int {
        struct Line: Decodable { let time: Date, event: String? }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let lines = log.split(separator: "\n").compactMap { try? decoder.decode(Line.self, from: Data($0.utf8)) }
        return Int(try #require(lines.first { $0.event == event }).time.timeIntervalSince1970)
    }

    @Test(
        "--new-key is rejected where no key would be generated",
        arguments: ["auth: {guest: true}\nlocal: {directory: d}", "auth: {guest: true}", ""])
    func uselessNewKey(_ end: String) async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "c.yaml")
            try Data("version: 1\nstores: {a: {bucket: abc, region: us-east-1}}\n\(end)\n".utf8).write(to: file)
            let run = try await Command.run(
                try #require(PresignProcess.binary), ["serve", "--config", file.path(), "--new-key"])
            #expect(run.status == 64 && run.errors.contains("--new-key"), "\(run)")
        }
    }

    @Test(
        "Invalid options and configurations have different exit codes",
        arguments: [
            (["--local", ""], 64), (["--cors-origin", "http://a/"], 64),
            (["--local", "d", "--local-listen", "0.0.0.0:1"], 64), (["--local", "d", "--local-listen", "[::1]:1"], 64),
            (["--config", "/nonexistent"], 78), ([], 64),
        ])
    func options(_ arguments: [String], _ status: Int) async throws {
        try await withTemporaryDirectory { folder in
            let run = try await Command.run(
                "/bin/sh",
                ["-c", "cd '\(folder.path())' && exec \"$0\" serve \"$@\"", try #require(PresignProcess.binary)]
                    + arguments)
            #expect(Int(run.status) == status, "\(run)")
            #expect(!run.errors.isEmpty)
        }
    }
}

/// A connection with an unfinished request.
private final class Stall {
    private let descriptor: Int32

    init(_ address: String, _ text: String) throws {
        let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // The structure and the text outlive the calls.
        let result = unsafe withUnsafePointer(to: &name) {
            unsafe connect(
                descriptor, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<sockaddr_in>.size))
        }
        try #require(result == 0)
        let bytes = Array(text.utf8)
        let sent = unsafe bytes.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, 0) }
        try #require(sent == bytes.count)
    }

    deinit { close(descriptor) }
}

extension URL {
    /// A subfolder with this name.
    fileprivate func appending(path: String, create: Bool) throws -> URL {
        let folder = appending(path: path)
        if create { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false) }
        return folder
    }
}
