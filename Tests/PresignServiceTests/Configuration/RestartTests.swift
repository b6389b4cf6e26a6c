import Testing

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
}
