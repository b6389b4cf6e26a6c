import PresignServiceTestSupport
import Testing

@testable import HTTPServer
@testable import PresignService

@Suite("Configuration changes that need a restart")
struct RestartTests {
    private static func configuration(_ sections: String) throws -> ServiceConfiguration {
        let yaml = "version: 1\nstores: {media: {bucket: acme-media, region: eu-west-1}}\n" + sections
        return try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml")
    }

    @Test(
        "Changed sections that need a restart are named",
        arguments: [
            ("", "rules: []", []), ("", "server: {loops: 77}", ["server"]), ("", "log: {requests: false}", ["log"]),
            ("", "existence: {timeout: 1s}", ["existence"]), ("", "audit: {to: stdout}", ["audit"]),
            ("", "local: {directory: d}\nserver: {loops: 77}", ["server", "local"]),
            // The HTTP server enforces the limit it was started with; a lower limit applies immediately.
            ("server: {limits: {batchBody: 64k}}", "server: {limits: {batchBody: 1m}}", ["server"]),
            ("server: {limits: {batchBody: 1m}}", "server: {limits: {batchBody: 64k}}", []),
            ("server: {limits: {body: 16k}}", "server: {limits: {body: 64k}}", []),
        ])
    func sections(running: String, new: String, expected: [String]) throws {
        let found = try Self.configuration(new).sectionsNeedingRestart(after: try Self.configuration(running))
        #expect(found == expected)
    }

    @Test("Until a restart, batches use the running limits of existence checks")
    func bounds() throws {
        let running = try Self.configuration("existence: {maximumInFlight: 8, timeout: 1s}")
        let new = "existence: {maximumInFlight: 1000, timeout: 2s}\nserver: {timeouts: {answer: 5s}}"
        var configuration = try Self.configuration(new)
        configuration.keepBounds(of: running)
        let environment = ["AWS_ACCESS_KEY_ID": "AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret"]
        let snapshot = try ServiceSnapshot(configuration, environment: { environment[$0] }, read: { _ in [] })
        #expect(snapshot.batchChecks.maximumInFlight == 2)
        #expect(snapshot.batchChecks.startWindow == running.server.timeouts.response - .seconds(1))
    }
}
