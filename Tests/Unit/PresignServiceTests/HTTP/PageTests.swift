import SocketTestSupport
import Testing

@testable import PresignServiceTestSupport

@Suite("The upload page")
struct PageTests {
    private static func service(page: Bool) throws -> TestService {
        var configuration = SampleConfiguration()
        configuration.page = page
        return try TestService(configuration.yaml)
    }

    private static func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: presign.test\r\n\r\n" }

    @Test("Its policy allows every storage and the page itself, nothing else")
    func policy() throws {
        let response = try Self.service(page: true).exchange(Self.get("/"))
        #expect(response.status == 200)
        #expect(response["content-type"] == "text/html; charset=utf-8")
        #expect(response["x-content-type-options"] == "nosniff")
        let policy = try #require(response["content-security-policy"])
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
        let connect = try #require(policy.split(separator: "; ").first { $0.hasPrefix("connect-src") })
        #expect(
            connect.split(separator: " ").dropFirst() == [
                "'self'", "https://acme-media.s3.eu-west-1.amazonaws.com", "https://s3.us-east-1.amazonaws.com",
                "https://acme-fast.s3-accelerate.amazonaws.com", "https://files.example.com",
            ])
        #expect(!policy.contains("unsafe"))
    }

    @Test("A configured origin may import the module")
    func module() throws {
        let request = "GET /presign.js HTTP/1.1\r\nHost: a\r\nOrigin: https://app.example.com\r\n\r\n"
        let response = try Self.service(page: true).exchange(request)
        #expect(response.status == 200)
        #expect(response["content-type"] == "text/javascript; charset=utf-8")
        #expect(response["access-control-allow-origin"] == "https://app.example.com")
        #expect(response.text.contains("export"))
    }

    @Test("The page exists only if it is configured", arguments: ["/", "/presign.js", "/page.css"])
    func off(path: String) throws {
        #expect(try Self.service(page: false).exchange(Self.get(path)).status == 404)
    }
}
