import SocketTestSupport
import Testing

@testable import PresignServiceTestSupport

@Suite("CORS of the service")
struct CrossOriginTests {
    private static let app = "https://app.example.com"
    private static let body = #"{"path":"public/a"}"#

    private static func preflight(_ origin: String, _ target: String = "/presign") -> String {
        """
        OPTIONS \(target) HTTP/1.1\r\nHost: a\r\nOrigin: \(origin)\r\nAccess-Control-Request-Method: POST\r
        Access-Control-Request-Headers: authorization,content-type\r\n\r\n
        """
    }

    @Test("A preflight needs no credentials")
    func preflight() throws {
        let response = try TestService().exchange(Self.preflight(Self.app))
        #expect(response.status == 204 && response["content-length"] == nil)
        #expect(response["access-control-allow-origin"] == Self.app)
        #expect(response["access-control-allow-methods"] == "POST, OPTIONS")
        let names = response["access-control-allow-headers"]
        #expect(names == "authorization, content-type, x-api-key, x-request-id")
        #expect(response["access-control-max-age"] == "7200")
        let vary = response.values("vary").joined(separator: ", ")
        #expect(vary.contains("Origin") && vary.contains("Access-Control-Request-Method"))
        #expect(response["access-control-allow-credentials"] == nil)
    }

    @Test(
        "A foreign origin gets the same responses without CORS headers",
        arguments: ["https://evil.example", "null", "https://app.example.com:8443", "https://APP.example.com"])
    func foreign(origin: String) throws {
        let service = try TestService()
        for request in [Self.preflight(origin), presignRequest(Self.body, ["Origin: " + origin])] {
            let response = try service.exchange(request)
            #expect(200..<300 ~= response.status)
            #expect(response.fields.allSatisfy { !$0.name.hasPrefix("access-control-") })
            #expect(response.values("vary").contains("Origin"))
        }
    }

    @Test("Every response has the CORS headers, errors included", arguments: Self.everyAnswer)
    func granted(request: String) throws {
        let response = try TestService().exchange(request)
        #expect(response["access-control-allow-origin"] == Self.app, "\(response.status)")
        #expect(
            response["access-control-expose-headers"]
                == "retry-after, ratelimit, ratelimit-policy, x-request-id, www-authenticate")
        #expect(response.values("vary").contains("Origin"))
    }

    private static let origin = "Origin: " + app
    static let everyAnswer = [
        presignRequest(body, [origin]), presignRequest("{", [origin]), presignRequest(body, key: nil, [origin]),
        presignRequest(#"{"path":"elsewhere/a"}"#, [origin]), presignRequest(body, type: nil, [origin]),
        "GET /presign HTTP/1.1\r\nHost: a\r\n\(origin)\r\n\r\n", "GET /no HTTP/1.1\r\nHost: a\r\n\(origin)\r\n\r\n",
        "POST /presign HTTP/1.1\r\nHost: a\r\n\(origin)\r\nContent-Length: 9999\r\n\r\n",
        "POST /presign HTTP/1.1\r\nHost: a\r\n\(origin)\r\nContent-Length: 1\r\nExpect: magic\r\n\r\n",
        "POST /presign HTTP/1.1\r\nHost: a\r\n\(origin)\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ]

    @Test("Without configured origins there are no CORS headers; * allows every origin")
    func policies() throws {
        var configuration = SampleConfiguration()
        configuration.cors = "{origins: []}"
        let silent = try TestService(configuration.yaml).exchange(presignRequest(Self.body, [Self.origin]))
        #expect(silent.status == 200 && silent.values("vary").isEmpty)
        #expect(silent["access-control-allow-origin"] == nil)
        configuration.cors = #"{origins: ["*"], maxAge: 60s}"#
        let open = try TestService(configuration.yaml)
        #expect(try open.exchange(Self.preflight("https://any.example"))["access-control-max-age"] == "60")
        let answer = try open.exchange(presignRequest(Self.body, ["Origin: https://any.example"]))
        #expect(["https://any.example", "*"].contains(answer["access-control-allow-origin"]))
    }
}
