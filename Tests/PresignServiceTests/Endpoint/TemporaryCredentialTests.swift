import Foundation
import Presigning
import TestSupport
import Testing

@testable import PresignService

@Suite("Temporary credentials behind the socket")
struct TemporaryCredentialTests {
    private static let token = "FwoGZXIvYXdzEBYa+/=TOKEN"
    private static let get = #"{"path":"public/a"}"#

    /// An environment whose credentials end some seconds from now.
    private static func environment(endsIn seconds: Int) -> [String: String] {
        let now = SigningTime(secondsSince1970: Int64(Date().timeIntervalSince1970))
        var environment = LiveConfiguration.environment
        environment["AWS_SESSION_TOKEN"] = token
        environment["AWS_CREDENTIAL_EXPIRATION"] = now.advanced(bySeconds: seconds).rfc3339Text
        return environment
    }

    @Test("a URL ends with the credentials that signed it, and says so")
    func clamp() throws {
        let service = try LiveService(environment: Self.environment(endsIn: 1000))
        let answer = try verified(try service.exchange(presignRequest(Self.get)))
        #expect(995...1000 ~= answer.expiresIn)
        #expect(answer.limitedBy == "credentials")
        #expect(answer.query["X-Amz-Security-Token"] == Self.token)
        let short = try verified(try service.exchange(presignRequest(#"{"path":"public/a","expiresIn":60}"#)))
        #expect(short.expiresIn == 60 && short.limitedBy == nil)
    }

    @Test("credentials that have ended sign nothing")
    func expired() throws {
        let service = try LiveService(environment: Self.environment(endsIn: -1))
        let response = try service.exchange(presignRequest(Self.get))
        #expect(response.status == 503 && response["retry-after"] == "5")
        #expect(try response.problem().code == "credentials-unavailable")
        let ready = try service.exchange("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(ready.status == 503 && ready["retry-after"] == "5")
        let health = try service.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(health.status == 200)
    }

    @Test("a token without an end is warned of; lasting credentials have neither token nor warning")
    func warnings() throws {
        var environment = LiveConfiguration.environment
        environment["AWS_SESSION_TOKEN"] = Self.token
        let configuration = try ServiceConfiguration(parsing: Array(LiveConfiguration().yaml.utf8), file: "c.yaml")
        for (variables, warns) in [(environment, true), (LiveConfiguration.environment, false)] {
            let snapshot = try ServiceSnapshot(configuration, environment: { variables[$0] }, read: { _ in [] })
            #expect(snapshot.warnings.isEmpty != warns)
            #expect(snapshot.warnings.allSatisfy { !$0.contains(Self.token) })
        }
        let answer = try verified(try LiveService().exchange(presignRequest(Self.get)))
        #expect(answer.query["X-Amz-Security-Token"] == nil)
    }

    @Test("a service without credentials does not start")
    func none() {
        let failure = #expect(throws: CredentialFailure.self) {
            _ = try LiveService(environment: ["HOME": "/nonexistent", "AWS_EC2_METADATA_DISABLED": "true"])
        }
        #expect(failure?.description.contains("AWS_ACCESS_KEY_ID") == true)
    }
}
