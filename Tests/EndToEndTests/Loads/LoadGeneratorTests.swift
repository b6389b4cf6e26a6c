import Foundation
import TestSupport
import Testing

extension Loads {
    @Suite("Load generators: every request gets a URL")
    struct LoadGenerators {
        private static let count = 2000 * Loads.seconds / Loads.slowness
        /// Fewer with a sanitizer: a service slower than its clients sheds load, which is tested elsewhere.
        private static let clients = max(2, 32 / Loads.slowness)

        @Test("wrk", arguments: [1, 64])
        func wrk(connections: Int) async throws {
            try await Loads.serving { service in
                let load = try await Wrk.run(
                    "http://\(service.address)/presign", key: service.apiKey, connections: connections)
                #expect(load.isClean && load.granted > 100 / Loads.slowness, "\(load)")
            }
        }

        @Test("ab, with HTTP/1.0: a new connection per request, and keep-alive", arguments: [false, true])
        func ab(keepsAlive: Bool) async throws {
            try await Loads.serving { service in
                let before = try service.descriptors
                let result = try await withTemporaryDirectory { directory in
                    let body = directory.appending(path: "body")
                    try Data(Loads.body.utf8).write(to: body)
                    return try await Command.run(
                        "/usr/bin/ab",
                        [
                            "-q", "-n", "\(Self.count)", "-c", "\(Self.clients)", "-p", body.path(), "-T",
                            "application/json",
                        ]
                            + (keepsAlive ? ["-k"] : [])
                            + ["-H", "X-API-Key: \(service.apiKey)", "http://\(service.address)/presign"])
                }
                try #require(result.status == 0, "\(result.errors)")
                #expect(try result.number(after: "Complete requests") == Self.count)
                // ab also counts a response whose length differs from the first one as a failure.
                #expect(try result.number(after: "Failed requests") == 0, "\(result.output)")
                #expect(!result.output.contains("Non-2xx responses"), "\(result.output)")
                if keepsAlive { #expect(try result.number(after: "Keep-Alive requests") == Self.count) }
                try await service.settles(to: before)
            }
        }

        @Test("h2load in its HTTP/1 mode, with pipelining", arguments: [1, 16])
        func h2load(pipelined: Int) async throws {
            try await Loads.serving { service in
                let result = try await withTemporaryDirectory { directory in
                    let body = directory.appending(path: "body")
                    try Data(Loads.body.utf8).write(to: body)
                    return try await Command.run(
                        "/usr/bin/h2load",
                        ["--h1", "-n", "\(Self.count)", "-c", "16", "-m", "\(pipelined)", "-d", body.path()]
                            + service.headers + ["http://\(service.address)/presign"])
                }
                try #require(result.status == 0, "\(result.errors)")
                let summary =
                    "requests: \(Self.count) total, \(Self.count) started, \(Self.count) done,"
                    + " \(Self.count) succeeded, 0 failed, 0 errored, 0 timeout"
                #expect(result.output.contains(summary), "\(result.output)")
                #expect(result.output.contains("status codes: \(Self.count) 2xx, 0 3xx, 0 4xx, 0 5xx"))
            }
        }
    }
}
