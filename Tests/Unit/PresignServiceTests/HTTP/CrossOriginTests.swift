import SocketTestSupport
import Testing

@testable import PresignServiceTestSupport

@Suite("CORS of the service")
struct CrossOriginTests {
    private static let app = "https://app.example.com"
    private static let body = #"{"path":"public/a"}"#

    private static func preflight(_ origin: String, headers: String = "authorization,content-type") -> String {
        """
        OPTIONS /presign HTTP/1.1\r\nHost: a\r\nOrigin: \(origin)\r\nAccess-Control-Request-Method: POST\r
        Access-Control-Request-Headers: \(headers)\r\n\r\n
        """
    }

    @Test("A preflight needs no credentials")
    func preflight() throws {
        let response = try TestService().exchange(Self.preflight(Self.app))
        #expect(response.status == 204 && response["content-length"] == nil)
        #expect(response["access-control-allow-origin"] == Self.app)
        #expect(response["access-control-allow-methods"] == "POST, OPTIONS")
        let names = response["access-control-allow-headers"]
        #expect(names == Self.allowedHeaders)
        #expect(response["x-presign-cors"] == nil)
        #expect(response["access-control-max-age"] == "7200")
        let vary = response.values("vary").joined(separator: ", ")
        #expect(vary.contains("Origin") && vary.contains("Access-Control-Request-Method"))
        #expect(response["access-control-allow-credentials"] == nil)
    }

    private static let allowedHeaders =
        "authorization, content-type, x-api-key, x-request-id, baggage, sentry-trace, traceparent, tracestate, "
        + "x-datadog-origin, x-datadog-parent-id, x-datadog-sampling-priority, x-datadog-trace-id"

    @Test("A page may set the configured headers, with those of the service and of tracing")
    func configuredHeaders() throws {
        var configuration = SampleConfiguration()
        configuration.cors = #"{origins: ["\#(Self.app)"], headers: [x-client-version, x-tenant]}"#
        let service = try TestService(configuration.yaml)
        let response = try service.exchange(Self.preflight(Self.app, headers: "traceparent,x-tenant"))
        #expect(response["access-control-allow-headers"] == Self.allowedHeaders + ", x-client-version, x-tenant")
        #expect(response["x-presign-cors"] == nil)
        let foreign = try service.exchange(Self.preflight("https://evil.example", headers: "x-tenant"))
        #expect(foreign["access-control-allow-headers"] == nil)
    }

    @Test(
        "A preflight is told which headers are not allowed; what it announces never becomes a permission",
        arguments: [
            ("x-tenant", ": x-tenant"), ("authorization,x-tenant,x-client", ": x-tenant, x-client"),
            ("X-Tenant , \t x-b", ": x-tenant, x-b"), ("x-b,,", ": x-b"), ("*", ": *"),
            ("x-forwarded-for", ": x-forwarded-for"),
            ("cookie,host", ": cookie, host"), ("forwarded", ": forwarded"), ("x-auth-user", ": x-auth-user"),
            ("authorizatio", ": authorizatio"), ("authorization2", ": authorization2"), ("traceparent;q=1", ""),
            ("x b", ""), ("x:b", ""), ("\"x\"", ""), ("é", ""), ("<script>", ""),
            (String(repeating: "a", count: 64), ": " + String(repeating: "a", count: 64)),
            (String(repeating: "a", count: 65), ""),
            ((1...20).map { "x-\($0)" }.joined(separator: ","), ": x-1, x-2, x-3, x-4, x-5, x-6, x-7, x-8"),
        ])
    func refusedHeaders(announced: String, named: String) throws {
        let response = try TestService().exchange(Self.preflight(Self.app, headers: announced))
        #expect(response.status == 204)
        #expect(response["access-control-allow-headers"] == Self.allowedHeaders)
        #expect(response["x-presign-cors"] == "the request has headers that are not in cors.headers" + named)
    }

    @Test("A page of an app with another scheme gets its origin back, and says so to the operator if it is not listed")
    func apps() throws {
        var configuration = SampleConfiguration()
        configuration.cors = #"{origins: ["capacitor://localhost"]}"#
        let service = try TestService(configuration.yaml)
        let granted = try service.exchange(Self.preflight("capacitor://localhost"))
        #expect(granted["access-control-allow-origin"] == "capacitor://localhost")
        let refused = try service.exchange(Self.preflight("tauri://localhost"))
        #expect(refused["access-control-allow-origin"] == nil)
        #expect(refused["x-presign-cors"] == "the origin tauri://localhost is not in cors.origins")
        #expect(service.assembly.originReports.text.contains("--cors-origin tauri://localhost"))
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

    @Test(
        "A response that a page may not read says why",
        arguments: [
            ("https://evil.example", "the origin https://evil.example is not in cors.origins"),
            (
                "http://localhost:5173",
                "the origin http://localhost:5173 is not in cors.origins; open the page at http://127.0.0.1:5173, which is"
            ),
            (
                "http://127.0.0.1:8000",
                "the origin http://127.0.0.1:8000 is not in cors.origins; open the page at http://localhost:8000, which is"
            ),
            ("http://localhost:5174", "the origin http://localhost:5174 is not in cors.origins"),
            (
                "null",
                "the origin null cannot be allowed; files and sandboxed frames of any author have this origin; list another one"
            ),
            (
                "file://",
                "the origin file:// cannot be allowed; files and sandboxed frames of any author have this origin; list another one"
            ),
            ("http://127.0.0.1:5173", nil), ("http://a", nil),
        ])
    func reason(origin: String, reason: String?) throws {
        var configuration = SampleConfiguration()
        configuration.cors = #"{origins: ["http://127.0.0.1:5173", "http://localhost:8000"]}"#
        let service = try TestService(configuration.yaml)
        #expect(try service.exchange(Self.preflight(origin))["x-presign-cors"] == reason)
        let request = "GET /healthz HTTP/1.1\r\nHost: a\r\nOrigin: \(origin)\r\n\r\n"
        #expect(try service.exchange(request)["x-presign-cors"] == reason)
    }

    @Test("Diagnostics report an origin once a minute, with the setting that allows it, and at most 16 origins")
    func reports() throws {
        let service = try TestService()
        for origin in ["https://evil.example", Self.app, "https://evil.example"] {
            _ = try service.exchange(Self.preflight(origin))
        }
        let expected =
            "the origin https://evil.example is not in cors.origins. Add it to the configuration: `cors: {origins: "
            + #"["https://app.example.com", "https://evil.example"]}`; without a file, start with `--cors-origin "#
            + "https://evil.example`.\n"
        #expect(service.assembly.originReports.text == expected)
        for number in 0..<40 { _ = try service.exchange(Self.preflight("https://\(number).example")) }
        #expect(service.assembly.originReports.text.split(separator: "\n").count == 16)
        service.advance(by: .seconds(61))
        _ = try service.exchange(Self.preflight("https://evil.example"))
        #expect(service.assembly.originReports.text.split(separator: "\n").count == 17)
    }

    @Test(
        "With the embedded storage and no configured origin, pages of this machine may call",
        arguments: [
            ("http://localhost:5173", true), ("https://127.0.0.1", true), ("http://[::1]:3000", true),
            ("http://app.localhost:80", true), ("http://127.9.9.9:1", true), ("http://localhost.evil.example", false),
            ("http://evillocalhost", false), ("http://128.0.0.1", false), ("http://127.0.0.1.evil.example", false),
            ("http://[::2]", false), ("http://localhost:5173/", false), ("null", false),
            ("https://evil.example", false),
        ])
    func loopback(origin: String, isAllowed: Bool) throws {
        var configuration = SampleConfiguration()
        configuration.cors = "{origins: []}"
        let local = configuration.yaml + "\nlocal: {directory: data}"
        let preflight = Self.preflight(origin).replacing("Host: a", with: "Host: localhost:8080")
        let response = try TestService(local).exchange(preflight)
        #expect(response["access-control-allow-origin"] == (isAllowed ? origin : nil))
        #expect((response["access-control-allow-headers"] != nil) == isAllowed)
        let form = presignRequest(
            "path=public/a", type: "application/x-www-form-urlencoded", ["Origin: \(origin)"]
        ).replacing("Host: presign.test", with: "Host: localhost:8080")
        #expect(try TestService(local).exchange(form).status == (isAllowed ? 200 : 403))
        // Neither without the storage, nor with configured origins.
        #expect(try TestService(configuration.yaml).exchange(preflight)["access-control-allow-origin"] == nil)
        configuration.cors = #"{origins: ["https://app.example.com"]}"#
        let listed = try TestService(configuration.yaml + "\nlocal: {directory: data}")
        #expect(try listed.exchange(preflight)["access-control-allow-origin"] == nil)
    }
}
