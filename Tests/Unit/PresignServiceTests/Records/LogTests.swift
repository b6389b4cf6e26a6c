import ObjectExistence
import Presigning
import PresigningTestSupport
import Requests
import SocketTestSupport
import Testing

@testable import PresignService
@testable import PresignServiceTestSupport

@Suite("The request log")
struct LogTests {
    private typealias Key = SampleConfiguration.Key

    @Test("A line contains caller, request, rule and status")
    func members() throws {
        let service = try TestService()
        _ = try service.exchange(presignRequest(#"{"path":"public/a","method":"PUT","store":"archive"}"#))
        _ = try service.exchange(presignRequest(#"{"path":"inbox/a"}"#, key: Key.other))
        _ = try service.exchange(presignRequest(#"{"path":"inbox/a","method":"PUT"}"#))
        _ = try service.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        let lines = try LogLine.all(of: service)
        #expect(lines.map(\.status) == [200, 403, 422, 200])
        #expect(lines.map(\.caller) == ["caller:web", "caller:other", "caller:web", nil])
        #expect(lines.map(\.action) == ["write", "get", "write", nil])
        #expect(lines.map(\.key) == ["public/a", "inbox/a", "inbox/a", nil])
        #expect(lines.map(\.store)[0] == "archive")
        #expect(lines.map(\.reason) == [nil, "no-grant", "constraint", nil])
        #expect(lines[0].rule?.hasPrefix("public/** (test.yaml:") == true)
        #expect(lines.map(\.path) == ["/presign", "/presign", "/presign", "/healthz"])
        #expect(lines.map(\.method) == ["POST", "POST", "POST", "GET"])
        #expect(lines.allSatisfy { $0.peer == "127.0.0.1" })
        #expect(lines.allSatisfy { SigningTime(rfc3339: $0.time) != nil && $0.durationMicroseconds >= 0 })
    }

    @Test("Why a key was rejected is stated only in the log")
    func reasons() throws {
        let service = try TestService()
        for key in [Key.unknownID, Key.wrongSecret, Key.off, Key.old] {
            _ = try service.exchange(presignRequest("{}", key: key))
        }
        let reasons = try LogLine.all(of: service).map(\.reason)
        #expect(
            reasons == ["unknown API key", "unknown API key", "disabled API key", "API key past its notAfter"])
    }

    @Test("No secret is logged, whatever is sent")
    func secrets() throws {
        var environment = SampleConfiguration.environment
        environment["AWS_SESSION_TOKEN"] = "SESSIONTOKEN"
        let service = try TestService(environment: environment, storage: [.status(404), .status(403), .timedOut])
        let body = #"{"path":"public/a","validateObjectExistence":true}"#
        var given: [String] = []
        for key in Key.all {
            given.append(try service.exchange(presignRequest(body, key: nil, ["Authorization: Bearer " + key])).text)
            given.append(try service.exchange(presignRequest(body, key: key, ["Cookie: COOKIEVALUE"])).text)
            _ = try service.exchange(presignRequest("{\"\(key)\":1,\"contentType\":\"\(key)\"}", key: key))
            _ = try service.exchange("GET /presign?key=\(key) HTTP/1.1\r\nHost: a\r\nX-API-Key: \(key)\r\n\r\n")
            _ = try service.exchange("POST /presign HTTP/1.1\r\nX-API-Key: \(key)\r\nAuthorization: \(key)\r\n\r\n")
            _ = try service.exchange(presignRequest(body, key: key, type: key))
        }
        let log = service.logLines().joined(separator: "\n")
        #expect(!log.isEmpty && given.contains { $0.contains("X-Amz-Signature") })
        let forbidden =
            Key.all + [TestCredentials.secret, "SESSIONTOKEN", "COOKIEVALUE", "X-Amz-", "https://", "Bearer "]
        for secret in forbidden { #expect(!log.contains(secret), "\(secret)") }
        for response in given {
            #expect(!response.contains(TestCredentials.secret))
            for key in Key.all { #expect(!response.contains(key)) }
        }
    }

    @Test(
        "No request can forge a log line",
        arguments: [
            #"public/a\",\"status\":200}\n{\"forged\":true,\"x\":\""#, #"\u2028\u0085\u0000\u007f"#, #"\\\""#,
            "\u{1F600}\u{202E}", #"\r\n\r\n"#,
        ])
    func injection(text: String) throws {
        let service = try TestService()
        _ = try service.exchange(presignRequest(#"{"path":"\#(text)"}"#))
        _ = try service.exchange(presignRequest(#"{"path":"public/a","store":"\#(text)"}"#))
        _ = try service.exchange(presignRequest(#"{"path":"public/a"}"#, ["X-Request-Id: x\",\"forged\":\"1"]))
        _ = try service.exchange("GET /%0A%22\",\"forged\":\"1 HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try service.exchange("G\"E,T /x HTTP/1.1\r\nHost: a\r\n\r\n")
        let lines = try LogLine.all(of: service)
        #expect(lines.count == 5)
        #expect(service.logLines().allSatisfy { !$0.contains(#","forged":"#) && !$0.contains("\u{2028}") })
    }
}
