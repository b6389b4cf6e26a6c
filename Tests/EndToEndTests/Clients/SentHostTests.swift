import SocketTestSupport
import Testing

@Suite(
    "Hosts that clients send", .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"),
    .enabled(if: IPv6.isAvailable, "needs IPv6"))
struct SentHostTests {
    @Test("curl, Node and Python send the signed host of an IPv6 endpoint, however it is written")
    func addresses() async throws {
        let run = try await Command.run(
            "/usr/bin/python3", [Python.script("sent_hosts"), try #require(PresignProcess.binary)],
            environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
        #expect(run.status == 0, "\(run.errors)")
    }
}
