import Foundation
import Testing

extension Alone {
    @Suite("SIGTERM under load")
    struct Stops {
        @Test(
            "Open connections are served until their response announces the close, and the process ends promptly with status 0"
        )
        func underLoad() async throws {
            try await BackgroundPrograms.keeping { background in
                let (script, stopped) = try await Loads.serving { service in
                    // Only a load: after the end of the service wrk reconnects in vain and counts that in several ways.
                    _ = try background.start(
                        "/usr/bin/wrk",
                        Wrk.arguments("http://\(service.address)/presign", key: service.apiKey, connections: 32))
                    let script = try background.start(
                        "/usr/bin/env", ["python3", Python.script("until_closed"), "16"],
                        environment: service.clientEnvironment)
                    _ = try await script.firstLine()
                    return (script, ContinuousClock.now)
                }
                #expect(.now - stopped < .seconds(5 * Loads.slowness))
                let result = try await script.ended()
                #expect(result.status == 0 && result.output.hasPrefix("ready\n"), "\(result)")
            }
        }

        @Test("Under mixed load a well-behaved client is served throughout, and SIGTERM ends the service in time")
        func inTheMidst() async throws {
            try await BackgroundPrograms.keeping { background in
                let slow = "timeouts: {header: 2s, body: 2s, idle: 2s, write: 2s, linger: 1s}"
                let stopped = try await Loads.serving(guests: true, page: true, server: slow) { service in
                    let programs = try Self.everything(service, &background)
                    var client = try GoodClient(of: service)
                    let deadline = ContinuousClock.now + .seconds(Loads.seconds)
                    while ContinuousClock.now < deadline {
                        try client.ask()
                        try await Task.sleep(for: .milliseconds(5))
                    }
                    try client.expectServed()
                    for program in programs where !program.process.isRunning {
                        Issue.record("a program ended early: \(try await program.ended())")
                    }
                    return ContinuousClock.now
                }
                // Slow clients get their usual timeouts.
                #expect(.now - stopped < .seconds(3 + 2 * Loads.slowness))
            }
        }

        /// Load, pipelines, slow and failing clients, for longer than the test needs, because disconnected slow clients
        /// reconnect.
        private static func everything(_ service: PresignProcess, _ background: inout BackgroundPrograms) throws
            -> [BackgroundProgram]
        {
            let url = "http://\(service.address)"
            let seconds = "\(10 * Loads.seconds)"
            return [
                try background.start("/usr/bin/wrk", ["-t", "1", "-c", "16", "-d", seconds, url + "/healthz"]),
                try background.start(
                    "/usr/bin/h2load", ["--h1", "-n", "100000000", "-c", "8", "-m", "16", url + "/healthz"]),
                try background.start(
                    "/usr/bin/wrk", Wrk.arguments(url + "/presign", key: service.apiKey, connections: 8, longer: 10)),
                try background.start(
                    "/usr/bin/slowhttptest",
                    [
                        "-B", "-c", "\(500 * Loads.seconds)", "-r", "50", "-i", "1", "-l", seconds, "-u",
                        url + "/presign",
                    ]),
                try background.start(
                    "/usr/bin/slowhttptest",
                    [
                        "-X", "-k", "10", "-c", "\(100 * Loads.seconds)", "-r", "10", "-l", seconds, "-u",
                        url + "/openapi.yaml",
                    ]),
                try background.start(
                    "/usr/bin/env", ["python3", Python.script("rough_clients"), seconds],
                    environment: service.clientEnvironment),
            ]
        }
    }
}
