import Foundation
import SocketTestSupport
import TestSupport
import Testing

extension Alone {
    @Suite("Stop of the running command")
    struct DrainTests {
        private static func serving<Value: Sendable>(
            delay: String, _ body: (PresignProcess) async throws -> Value
        ) async throws -> Value {
            try await ConcurrencyLimit.tests.pass {
                try await PresignProcess.serving(
                    store: ["bucket": "acme-media", "region": "eu-west-1", "credentials": "environment"],
                    environment: ["AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "an example's secret"],
                    // On a busy machine the requests after the signal are sent late.
                    server: "shutdownDelay: \(delay), timeouts: {drainGrace: 5s}", body)
            }
        }

        @Test("After SIGTERM it reports not ready and keeps serving; a second signal ends it immediately with status 0")
        func secondSignal() async throws {
            let began = try await Self.serving(delay: "10m") { service in
                #expect(try await service.status("/readyz") == 200)
                #expect(kill(service.identifier, SIGTERM) == 0)
                let deadline = ContinuousClock.now + .seconds(20)
                while try await service.status("/readyz") != 503 { try #require(ContinuousClock.now < deadline) }
                for _ in 0..<3 {
                    #expect(try await service.status("/healthz") == 200)
                    #expect(try await service.presign() == 200)
                }
                let metrics = try await HTTP.send("GET", "http://\(service.address)/metrics").text
                #expect(metrics.contains("presign_ready 0\n"))
                // `serving` sends the second signal after the body.
                return ContinuousClock.now
            }
            #expect(.now - began < .seconds(30))
        }

        @Test("After the delay it ends with status 0; until then every request is served")
        func delay() async throws {
            try await Self.serving(delay: "2s") { service in
                let began = ContinuousClock.now
                #expect(kill(service.identifier, SIGTERM) == 0)
                var answered = 0
                while try await service.presign() == 200 {
                    answered += 1
                    try #require(.now - began < .seconds(30))
                }
                // A connection accepted before the end may be served after it, but none is rejected earlier.
                #expect(.now - began >= .seconds(2) && answered > 0)
            }
        }

        @Test("Without a delay, requests that arrive just after the signal are served on open connections")
        func requestsAfterSignal() async throws {
            try await Self.serving(delay: "0s") { service in
                let port = try service.port
                let clients = try (0..<8).map { _ in try RawClient(port: port) }
                #expect(kill(service.identifier, SIGTERM) == 0)
                #expect(try await eventually { (try? RawClient(port: port)) == nil })
                for client in clients { client.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n") }
                for client in clients { #expect(try client.response()?.status == 200) }
            }
        }
    }
}

extension PresignProcess {
    fileprivate func status(_ path: String) async throws -> Int {
        try await HTTP.send("GET", "http://\(address)\(path)").status
    }

    /// The status of a request for a URL; 0 if the service is not reachable.
    fileprivate func presign() async throws -> Int {
        let result = try await Command.run(
            "/usr/bin/curl",
            ["-q", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-d", "path=a"] + ["-H", "X-API-Key: \(apiKey)"] + [
                "http://\(address)/presign"
            ])
        return try #require(Int(result.output))
    }
}
