import Foundation
import SocketTestSupport
import Synchronization
import Testing

extension Loads.Chaos {
    @Suite("Failures behind an inherited socket")
    struct ActivationTests {
        @Test("kill -9: the next process serves every client that waits in the socket's backlog")
        func killed() async throws {
            try await Activated.serving { service in
                for round in 0..<5 {
                    let process = try service.process
                    // From here on only the kernel accepts connections.
                    #expect(kill(process, SIGSTOP) == 0)
                    try await Loads.Chaos.settles("every thread has stopped") { try Self.isStopped(process) }
                    let waiting = try (0..<100).map { _ in try service.ask() }
                    #expect(kill(process, SIGKILL) == 0)
                    for client in waiting {
                        let status = try client.response()?.status
                        #expect(status == 200, "round \(round)")
                    }
                    #expect(try service.process != process)
                }
            }
        }

        /// proc(5): the state follows the name, which is in parentheses.
        private static func isStopped(_ process: Int32) throws -> Bool {
            let folder = "/proc/\(process)/task"
            return try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { thread in
                let text = try String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8)
                return text.split(separator: ")").last?.hasPrefix(" T") == true
            }
        }

        @Test("kill -9 under load: no connection is refused; only those being served can break")
        func killedUnderLoad() async throws {
            try await Activated.serving { service in
                let (clients, kills) = (8, 20)
                let progress = ClientTally.Progress()
                let tallies = try await withThrowingTaskGroup(of: ClientTally.self) { group in
                    for _ in 0..<clients {
                        group.addTask {
                            try await ClientTally.collect(
                                from: service, progress, until: { try service.starts > kills })
                        }
                    }
                    for round in 0..<kills {
                        let granted = progress.granted.load(ordering: .relaxed)
                        try await Loads.Chaos.settles("requests are served") {
                            progress.granted.load(ordering: .relaxed) > granted + 20
                        }
                        kill(try service.process, SIGKILL)
                        try await Loads.Chaos.settles("start \(round)") { try service.starts > round + 1 }
                    }
                    return try await group.reduce(into: ClientTally()) { $0.add($1) }
                }
                #expect(tallies.granted > 20 * kills, "\(tallies)")
                #expect(tallies.refused == 0 && tallies.wrong == 0, "\(tallies)")
                #expect(tallies.broken <= clients * kills, "\(tallies)")
            }
        }

        @Test("SIGTERM and restart: every client is served, and the service manager gets all notifications in order")
        func stopped() async throws {
            try await Activated.serving { service in
                for _ in 0..<5 {
                    let (process, starts) = try (service.process, service.starts)
                    kill(process, SIGTERM)
                    // Closed at once, or the process would wait for them.
                    do {
                        let clients = try (0..<20).map { _ in try service.ask() }
                        for client in clients { #expect(try client.response()?.status == 200) }
                    }
                    try await Loads.Chaos.settles("the next start") { try service.starts > starts && service.isReady }
                }
                kill(try service.process, SIGHUP)
                try await Loads.Chaos.settles("the reload is reported") {
                    try service.notices.contains { $0.hasPrefix("MONOTONIC_USEC=") }
                }
                try await Loads.Chaos.settles("the end of the reload is reported") {
                    try service.notices.last?.hasPrefix("STATUS=listening") == true
                }
                let words = try service.notices.filter { $0.hasSuffix("=1") }
                #expect(
                    words == Array(repeating: ["READY=1", "STOPPING=1"], count: 5).flatMap { $0 } + [
                        "READY=1", "RELOADING=1", "READY=1",
                    ])
            }
        }

        @Test("A Unix socket keeps its file and serves waiting clients after a restart", arguments: [false, true])
        func unixSocket(isKilled: Bool) async throws {
            try await withTemporaryDirectory { folder in
                let path = folder.appending(path: "s").path()
                try await Activated.serving(at: path) { service in
                    for _ in 0..<3 {
                        let starts = try service.starts
                        kill(try service.process, isKilled ? SIGKILL : SIGTERM)
                        let response = try await Command.run(
                            "/usr/bin/curl", ["-s", "--max-time", "20", "--unix-socket", path, "http://a/healthz"])
                        #expect(response.output == "ok\n", "\(response)")
                        try await Loads.Chaos.settles("the next start") {
                            try service.starts > starts && service.isReady
                        }
                    }
                }
            }
        }

        @Test(
            "After its owner shuts the socket down, the service waits without using the processor",
            arguments: [false, true])
        func shutDownSocket(isUnix: Bool) async throws {
            try await withTemporaryDirectory { folder in
                let path = folder.appending(path: "s").path()
                try await Activated.serving(at: isUnix ? path : "0", server: "timeouts: {body: 2s}") { service in
                    let place = isUnix ? ["--unix-socket", path, "http://a/healthz"] : [service.url("/healthz")]
                    let slow = try service.ask(closes: false)
                    #expect(try slow.response()?.status == 200)
                    service.endListening()
                    try await Loads.Chaos.settles("connections are refused") {
                        try await Command.run("/usr/bin/curl", ["-s", "--max-time", "20"] + place).status == 7
                    }
                    let process = try service.process
                    let used = try Loads.Chaos.processorTime(
                        of: process, untilTimeoutOf: Activated.request(), from: slow)
                    #expect(used < 0.4 * Double(Loads.slowness), "\(used) seconds of processor time in two seconds")
                }
            }
        }
    }
}
