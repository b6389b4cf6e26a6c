import Testing

@testable import HTTPServer
@testable import PresignService

@Suite("What of a new configuration waits for a new start")
struct RestartTests {
    private static func configuration(_ sections: String) throws -> ServiceConfiguration {
        let yaml = "version: 1\nstores: {media: {bucket: acme-media, region: eu-west-1}}\n" + sections
        return try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml")
    }

    @Test(
        "sections are named",
        arguments: [
            ("", "rules: []", []), ("", "server: {loops: 77}", ["server"]), ("", "log: {requests: false}", ["log"]),
            ("", "existence: {timeout: 1s}", ["existence"]), ("", "audit: {to: stdout}", ["audit"]),
            ("", "local: {directory: d}\nserver: {loops: 77}", ["server", "local"]),
            // The server lets no more through than it was started with; the service refuses what is less at once.
            ("server: {limits: {batchBody: 64k}}", "server: {limits: {batchBody: 1m}}", ["server"]),
            ("server: {limits: {batchBody: 1m}}", "server: {limits: {batchBody: 64k}}", []),
            ("server: {limits: {body: 16k}}", "server: {limits: {body: 64k}}", []),
        ])
    func sections(running: String, new: String, expected: [String]) throws {
        let found = try Self.configuration(new).sectionsNeedingRestart(after: try Self.configuration(running))
        #expect(found == expected)
    }

    @Test("bounds that wait are not counted on before: batches ask the storage as the running checks allow")
    func bounds() throws {
        let running = try Self.configuration("existence: {maximumInFlight: 8, timeout: 1s}")
        let new = "existence: {maximumInFlight: 1000, timeout: 2s}\nserver: {timeouts: {answer: 5s}}"
        var configuration = try Self.configuration(new)
        configuration.keepBounds(of: running)
        let environment = ["AWS_ACCESS_KEY_ID": "AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret"]
        let snapshot = try ServiceSnapshot(configuration, environment: { environment[$0] }, read: { _ in [] })
        #expect(snapshot.batchChecks.maximumInFlight == 2)
        #expect(snapshot.batchChecks.startWindow == running.server.timeouts.answer - .seconds(1))
    }
}
