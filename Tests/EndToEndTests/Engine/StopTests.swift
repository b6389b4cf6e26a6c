import Foundation
import Testing

extension Engine {
    @Suite("SIGTERM under load")
    struct Stops {
        private static let connections = 32

        @Test("Whoever was let in is answered, and the process ends at once with status 0")
        func underLoad() async throws {
            try await withTemporaryDirectory { directory in
                let output = directory.appending(path: "output")
                let (exit, stopped) = try await Engine.serving { service in
                    let (process, exit) = try Command.start(
                        "/usr/bin/wrk",
                        Wrk.arguments(
                            "http://\(service.address)/presign", key: service.apiKey, connections: Self.connections),
                        environment: [:], output: output, errors: directory.appending(path: "errors"))
                    var client = try GoodClient(of: service)
                    repeat {
                        try client.ask()
                    } while try process.isRunning && SocketTable.held(by: service.port) <= Self.connections
                    for _ in 0..<20 { try client.ask() }
                    #expect(process.isRunning)
                    return (exit, ContinuousClock.now)
                }
                #expect(.now - stopped < .seconds(5 * Engine.slowness))
                // wrk goes on, in vain, until its time is up: it fails to connect, and calls that a failure to write.
                #expect(await exit.first { _ in true } == 0)
                let load = try Wrk.report(in: try String(contentsOf: output, encoding: .utf8))
                #expect(load.granted == load.answered && load.granted > 0 && load.timeout == 0, "\(load)")
                // The system resets what had connected and was not let in when the listener closed. An answer cut short
                // would be counted here as well; that there is none is for the tests of the server itself.
                #expect(load.read <= Self.connections, "\(load)")
            }
        }

        @Test("Everything at once: a good client is served all the while, and SIGTERM in its midst is obeyed")
        func inTheMidst() async throws {
            try await withTemporaryDirectory { directory in
                let slow = "timeouts: {header: 2s, body: 2s, idle: 2s, write: 2s}"
                let (programs, stopped) = try await Engine.serving(guests: true, page: true, server: slow) { service in
                    let programs = try Self.everything(service, directory)
                    var client = try GoodClient(of: service)
                    let deadline = ContinuousClock.now + .seconds(Engine.seconds)
                    while ContinuousClock.now < deadline {
                        try client.ask()
                        try await Task.sleep(for: .milliseconds(5))
                    }
                    try client.expectServed()
                    let stayed = programs.count { $0.process.isRunning }
                    #expect(stayed == programs.count)
                    return (programs, ContinuousClock.now)
                }
                // The slow ones have their time, the same as ever.
                #expect(.now - stopped < .seconds(3 + 2 * Engine.slowness))
                for (process, exit) in programs {
                    kill(process.processIdentifier, SIGKILL)
                    for await _ in exit {}
                }
            }
        }

        /// Load, pipelines, slow clients and broken ones, for longer than they are needed.
        private static func everything(
            _ service: PresignProcess, _ directory: URL
        ) throws -> [(process: Process, exit: AsyncStream<Int32>)] {
            let url = "http://\(service.address)"
            let body = directory.appending(path: "body")
            try Data(Engine.body.utf8).write(to: body)
            let seconds = "\(10 * Engine.seconds)"
            let commands: [(program: String, arguments: [String])] = [
                ("/usr/bin/wrk", ["-t", "1", "-c", "16", "-d", seconds, url + "/healthz"]),
                (
                    "/usr/bin/h2load",
                    ["--h1", "-n", "100000000", "-c", "8", "-m", "16", "-d", body.path()] + service.headers
                        + [url + "/presign"]
                ),
                (
                    "/usr/bin/slowhttptest",
                    ["-B", "-c", "200", "-r", "50", "-i", "1", "-l", seconds, "-u", url + "/presign"]
                ),
                (
                    "/usr/bin/slowhttptest",
                    ["-X", "-k", "10", "-c", "100", "-r", "20", "-l", seconds, "-u", url + "/presign.js"]
                ),
                ("/usr/bin/env", ["python3", Python.script("rough_clients"), seconds]),
            ]
            return try commands.enumerated().map { number, command in
                try Command.start(
                    command.program, command.arguments,
                    environment: ["PRESIGN": url, "PRESIGN_KEY": service.apiKey],
                    output: directory.appending(path: "output-\(number)"),
                    errors: directory.appending(path: "errors-\(number)"))
            }
        }
    }
}
