import Foundation
import HTTPServerTestSupport
import SocketTestSupport
import Telemetry
import Testing

@testable import CallerAuthentication
@testable import PresignService
@testable import PresignServiceTestSupport
@testable import Presigning
@testable import StorageCredentials

@Suite("Requests with temporary credentials")
struct TemporaryCredentialTests {
    private static let token = "FwoGZXIvYXdzEBYa+/=TOKEN"
    private static let get = #"{"path":"public/a"}"#

    /// An environment whose credentials expire in this many seconds.
    private static func environment(endsIn seconds: Int) -> [String: String] {
        var environment = SampleConfiguration.environment
        environment["AWS_SESSION_TOKEN"] = token
        environment["AWS_CREDENTIAL_EXPIRATION"] = TestClock.startTime.advanced(bySeconds: seconds).rfc3339Text
        return environment
    }

    @Test("A URL expires no later than its credentials, and the response says so")
    func clamp() throws {
        let service = try TestService(environment: Self.environment(endsIn: 1000))
        let presigned = try verified(try service.exchange(presignRequest(Self.get)))
        #expect(presigned.expiresIn == 1000)
        #expect(presigned.limitedBy == "credentials")
        #expect(presigned.query["X-Amz-Security-Token"] == Self.token)
        let short = try verified(try service.exchange(presignRequest(#"{"path":"public/a","expiresIn":60}"#)))
        #expect(short.expiresIn == 60 && short.limitedBy == nil)
    }

    @Test("Expired credentials sign nothing")
    func expired() throws {
        let service = try TestService(environment: Self.environment(endsIn: -1))
        let response = try service.exchange(presignRequest(Self.get))
        #expect(response.status == 503 && response["retry-after"] == "1")
        #expect(try response.problem().code == "credentials-unavailable")
        let ready = try service.exchange("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(ready.status == 503 && ready["retry-after"] == "1")
        #expect(try ready.problem().detail.hasPrefix("No store has usable credentials; "))
        service.assembly.service.beginShutdown()
        let stopping = try service.exchange("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try stopping.problem().detail == "The service is stopping")
        let health = try service.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(health.status == 200)
    }

    @Test("A token without an expiration causes a warning; long-term credentials have neither")
    func warnings() throws {
        var environment = SampleConfiguration.environment
        environment["AWS_SESSION_TOKEN"] = Self.token
        let configuration = try ServiceConfiguration(parsing: Array(SampleConfiguration().yaml.utf8), file: "c.yaml")
        for (variables, warns) in [(environment, true), (SampleConfiguration.environment, false)] {
            let snapshot = try ServiceSnapshot(configuration, environment: { variables[$0] }, read: { _ in [] })
            #expect(snapshot.warnings.contains { $0.contains("a session token but no expiration") } == warns)
            #expect(snapshot.warnings.allSatisfy { !$0.contains(Self.token) })
        }
        let presigned = try verified(try TestService().exchange(presignRequest(Self.get)))
        #expect(presigned.query["X-Amz-Security-Token"] == nil)
    }

    /// Runs the body with an environment that selects a profile instead of keys.
    private static func shared(_ line: String, _ body: ([String: String]) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let keys = SampleConfiguration.environment
        let text = """
            [media]
            aws_access_key_id = \(keys["AWS_ACCESS_KEY_ID"] ?? "")
            aws_secret_access_key = \(keys["AWS_SECRET_ACCESS_KEY"] ?? "")
            aws_session_token = \(token)
            \(line)
            """
        try text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        try body(["AWS_SHARED_CREDENTIALS_FILE": file.path, "AWS_PROFILE": "media"])
    }

    @Test("A URL expires no later than the session of its profile", arguments: [900, -1])
    func profileEnd(_ seconds: Int) throws {
        let end = TestClock.startTime.advanced(bySeconds: seconds)
        try Self.shared("aws_expiration = \(end.rfc3339Text)") { environment in
            let service = try TestService(environment: environment)
            let response = try service.exchange(presignRequest(Self.get))
            guard seconds > 0 else {
                #expect(response.status == 503)
                return
            }
            let presigned = try verified(response)
            #expect(presigned.expiresIn == 900 && presigned.limitedBy == "credentials")
        }
    }

    @Test("Each load warns once about a profile's session without a known expiration, and names the profile")
    func profileWithoutEnd() throws {
        try Self.shared("region = eu-west-1") { environment in
            let yaml = """
                version: 1
                stores:
                  a: {bucket: acme-a, region: eu-west-1, default: true}
                  b: {bucket: acme-b, region: eu-west-1}
                """
            let configuration = try ServiceConfiguration(parsing: Array((yaml + "\n").utf8), file: "c.yaml")
            let supply = CredentialPool(sources: { $0.source { environment[$0] } })
            for _ in 0..<2 {
                let snapshot = try ServiceSnapshot(
                    configuration, credentials: supply, issuerKeys: IssuerKeyPool(), read: { _ in [] })
                let warnings = snapshot.warnings.filter { $0.contains("but no expiration") }
                #expect(warnings.count == 1 && warnings.first?.contains("profile media") == true, "\(warnings)")
            }
        }
    }

    @Test("A service without credentials does not start")
    func none() {
        let failure = #expect(throws: CredentialFailure.self) {
            _ = try TestService(environment: ["HOME": "/nonexistent", "AWS_EC2_METADATA_DISABLED": "true"])
        }
        #expect(failure?.description.contains("AWS_ACCESS_KEY_ID") == true)
    }
}
