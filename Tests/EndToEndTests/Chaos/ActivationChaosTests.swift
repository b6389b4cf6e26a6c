import Foundation
import TestSupport
import Testing

extension Engine.Chaos {
    @Suite("Behind a socket that somebody else holds")
    struct ActivationChaos {
        @Test("kill -9: whoever waits in the socket is served by the next process, every one")
        func killed() async throws {
            try await Activated.serving { service in
                for round in 0..<5 {
                    let process = try service.process
                    // Nobody accepts from here on, but the kernel.
                    #expect(kill(process, SIGSTOP) == 0)
                    let waiting = try (0..<100).map { _ in try service.ask() }
                    #expect(kill(process, SIGKILL) == 0)
                    for client in waiting { #expect(try client.response()?.status == 200, "round \(round)") }
                    #expect(try service.process != process)
                }
            }
        }

        @Test("kill -9 under load: no connection is refused; only those that were being answered can break")
        func killedUnderLoad() async throws {
            try await Activated.serving { service in
                let (clients, kills) = (8, 20)
                let tallies = try await withThrowingTaskGroup(of: Tally.self) { group in
                    for _ in 0..<clients {
                        group.addTask { try await Tally.collect(from: service, until: { try service.starts > kills }) }
                    }
                    for round in 0..<kills {
                        try await Task.sleep(for: .milliseconds(50))
                        kill(try service.process, SIGKILL)
                        try await Engine.Chaos.settles("start \(round)") { try service.starts > round + 1 }
                    }
                    return try await group.reduce(into: Tally()) { $0.add($1) }
                }
                #expect(tallies.granted > 20 * kills / Engine.slowness, "\(tallies)")
                #expect(tallies.refused == 0 && tallies.wrong == 0, "\(tallies)")
                #expect(tallies.broken <= clients * kills, "\(tallies)")
            }
        }

        @Test("SIGTERM, and a new start: nobody notices, and the service manager hears it all in order")
        func stopped() async throws {
            try await Activated.serving { service in
                for _ in 0..<5 {
                    let (process, starts) = try (service.process, service.starts)
                    kill(process, SIGTERM)
                    let clients = try (0..<20).map { _ in try service.ask() }
                    for client in clients { #expect(try client.response()?.status == 200) }
                    try await Engine.Chaos.settles("the next start") { try service.starts > starts }
                }
                kill(try service.process, SIGHUP)
                try await Engine.Chaos.settles("the reload is told") {
                    try service.notices.contains { $0.hasPrefix("MONOTONIC_USEC=") }
                }
                try await Engine.Chaos.settles("the reload's end is told") {
                    try service.notices.last?.hasPrefix("STATUS=listening") == true
                }
                let words = try service.notices.filter { $0.hasSuffix("=1") }
                #expect(
                    words == Array(repeating: ["READY=1", "STOPPING=1"], count: 5).flatMap { $0 } + [
                        "READY=1", "RELOADING=1", "READY=1",
                    ])
            }
        }

        @Test("A Unix socket keeps its file and its guests", arguments: [false, true])
        func unixSocket(isKilled: Bool) async throws {
            try await withTemporaryDirectory { folder in
                let path = folder.appending(path: "s").path()
                try await Activated.serving(at: path) { service in
                    for _ in 0..<3 {
                        let starts = try service.starts
                        kill(try service.process, isKilled ? SIGKILL : SIGTERM)
                        let answer = try await Command.run(
                            "/usr/bin/curl", ["-s", "--max-time", "20", "--unix-socket", path, "http://a/healthz"])
                        #expect(answer.output == "ok\n", "\(answer)")
                        try await Engine.Chaos.settles("the next start") { try service.starts > starts }
                    }
                }
            }
        }
    }

    /// What a client that asks again and again saw.
    private struct Tally: CustomStringConvertible {
        var granted = 0, broken = 0, refused = 0, wrong = 0

        mutating func add(_ other: Tally) {
            granted += other.granted
            broken += other.broken
            refused += other.refused
            wrong += other.wrong
        }

        var description: String { "\(granted) granted, \(broken) broken, \(refused) refused, \(wrong) wrong" }

        static func collect(from service: Activated, until isOver: () throws -> Bool) async throws -> Tally {
            var tally = Tally()
            while try !isOver() {
                guard let client = try? service.ask() else {
                    tally.refused += 1
                    continue
                }
                do {
                    // Closed without a byte: it was being served when the process died.
                    switch try client.response() {
                    case nil: tally.broken += 1
                    case let answer? where answer.status == 200 && answer.text.contains("X-Amz-Signature="):
                        tally.granted += 1
                    default: tally.wrong += 1
                    }
                } catch {
                    tally.broken += 1
                }
                await Task.yield()
            }
            return tally
        }
    }

    /// The service, started by something that holds its socket and starts it again whenever it ends.
    private struct Activated: Sendable {
        private let activator: Neighbour
        private let port: UInt16

        static func serving(at address: String = "0", _ body: (Activated) async throws -> Void) async throws {
            try await withTemporaryDirectory { folder in
                let configuration = folder.appending(path: "presign.yaml")
                let text = """
                    version: 1
                    server: {listen: ["127.0.0.1:1"]}
                    stores: {main: {bucket: b, region: us-east-1, credentials: environment}}
                    auth: {guest: true}
                    log: {requests: false}
                    rules: [{path: "**", allow: {everyone: [read]}}]
                    """
                try Data(text.utf8).write(to: configuration)
                let arguments = [
                    Python.script("activator"), address, try #require(PresignProcess.binary), "serve", "--config",
                    configuration.path(),
                ]
                _ = try await Neighbour.run(
                    "/usr/bin/env", ["python3"] + arguments,
                    environment: ["AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "x"], awaited: false
                ) { activator in
                    try await Engine.Chaos.settles("it is started") { try activator.printed.contains(">READY=1") }
                    let place = try #require(activator.printed.firstMatch(of: /listening (.+)/)).1
                    let service = Activated(activator: activator, port: UInt16(place) ?? 0)
                    let outcome: Result<Void, any Error>
                    do { outcome = .success(try await body(service)) } catch { outcome = .failure(error) }
                    kill(activator.process.processIdentifier, SIGTERM)
                    let end = try await activator.ended()
                    #expect(end.status == 0 && end.output.hasSuffix("ended 0\n"), "\(end)")
                    try outcome.get()
                }
            }
        }

        private var lines: [Substring] { get throws { try activator.printed.split(separator: "\n") } }

        /// How often it was started.
        var starts: Int { get throws { try lines.count { $0.hasPrefix("started ") } } }

        /// The process that was started last.
        var process: Int32 {
            get throws {
                let line = try #require(lines.last { $0.hasPrefix("started ") })
                return try #require(Int32(line.dropFirst("started ".count)))
            }
        }

        /// What the service manager was told.
        var notices: [Substring] { get throws { try lines.filter { $0.hasPrefix(">") }.map { $0.dropFirst() } } }

        /// Sends one request.
        func ask() throws -> RawClient {
            let body = #"{"path":"images/cat.jpg"}"#
            let client = try RawClient(port: port)
            client.send(
                """
                POST /presign HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r
                Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)
                """)
            return client
        }
    }
}
