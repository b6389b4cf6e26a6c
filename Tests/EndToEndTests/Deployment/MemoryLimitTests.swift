import Foundation
import SocketTestSupport
import TestSupport
import Testing

@Suite(
    "Memory limits of the deployment files", .serialized,
    .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct MemoryLimitTests {
    /// The resources that a file assigns to the service.
    struct Given: Decodable {
        /// In bytes.
        let memory: Int
        /// The server settings in YAML's flow style.
        let server: String
        let connections: Int
    }

    /// The results of the clients.
    private struct Counts: Decodable {
        let bodies: Int, responses: Int, records: Int, handshakes: Int, refused: Int
        /// Requests with a wrong response.
        let wrong: [String]
    }

    @Test(
        "With all limits exhausted at once, the process uses less than half of the container's memory and serves requests",
        .validators, arguments: ["kubernetes", "compose", "ecs", "systemd"])
    func exhausted(name: String) async throws {
        let script = try await Deployment.script("memory", [Deployment.file("config").path(), name])
        try #require(script.status == 0, "\(script)")
        let given = try JSONDecoder().decode(Given.self, from: Data(script.output.utf8))
        try await SecureService.serving(server: given.server) { service in
            let result = try await Command.run(
                "/usr/bin/env",
                [
                    "python3", Python.script("exhaust_memory"), "\(try service.port)", "\(given.connections)",
                    service.certificates.servers.certificate,
                ], environment: service.process.clientEnvironment)
            try #require(result.status == 0, "\(result)")
            let counts = try JSONDecoder().decode(Counts.self, from: Data(result.output.utf8))
            #expect(counts.wrong.isEmpty && counts.refused > 0, "\(counts)")
            let kinds = [counts.bodies, counts.responses, counts.records, counts.handshakes]
            #expect(kinds.allSatisfy { $0 > 0 }, "\(counts)")
            let peak = try MemoryTests.peak(of: service.process.identifier) << 10
            #expect(peak < given.memory / 2, "\(peak >> 20) MiB of \(given.memory >> 20); \(counts)")
            try await expectNothingHeld(by: service)
        }
    }

    /// Expects no charged memory after all clients have left.
    private func expectNothingHeld(by service: SecureService) async throws {
        let isReleased = try await eventually {
            try await Curl.send(
                "GET", "\(try service.url)/metrics", resolve: "localhost:\(try service.port):127.0.0.1",
                authority: URL(filePath: service.certificates.servers.certificate)
            ).text.contains("presign_http_buffered_bytes 0\n")
        }
        #expect(isReleased)
    }
}
