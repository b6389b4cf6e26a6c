import SocketTestSupport
import Testing

@testable import HTTP1
@testable import LocalStorage
@testable import Presigning

@Suite("CORS of the local storage")
struct CrossOriginTests {
    private static let page = "http://localhost:5173"

    private func preflight(
        _ live: LiveStore, _ origin: String?, _ method: String?, _ headers: String? = nil
    ) throws -> RawResponse {
        let fields = [
            ("Origin", origin), ("Access-Control-Request-Method", method), ("Access-Control-Request-Headers", headers),
        ]
        return try live.send(
            "OPTIONS", "/local/key", headers: fields.compactMap { name, value in value.map { (name, $0) } })
    }

    @Test(
        "A preflight of a configured origin is allowed what it asks for",
        arguments: ["GET", "PUT", "HEAD", "POST", "DELETE"])
    func granted(_ method: String) throws {
        let live = try LiveStore(origins: [Self.page])
        let response = try preflight(live, Self.page, method, "content-type, x-amz-meta-a,if-none-match")
        #expect(response.status == 200)
        #expect(response["access-control-allow-origin"] == Self.page)
        #expect(response["access-control-allow-methods"] == "GET, PUT, HEAD, POST, DELETE")
        #expect(response["access-control-allow-headers"] == "content-type, x-amz-meta-a,if-none-match")
        #expect(response["access-control-max-age"] == "3000")
        #expect(response.values("vary").contains("Origin"))
        #expect(response["access-control-allow-credentials"] == nil)
    }

    @Test("Other preflights are rejected as by S3")
    func refused() throws {
        let live = try LiveStore(origins: [Self.page])
        let cases: [(String?, String?, String?, Int, String)] = [
            ("http://localhost:5174", "GET", nil, 403, "AccessForbidden"),
            ("http://localhost:5173.evil.example", "GET", nil, 403, "AccessForbidden"),
            ("null", "GET", nil, 403, "AccessForbidden"), (Self.page, "PATCH", nil, 403, "AccessForbidden"),
            (Self.page, "get", nil, 403, "AccessForbidden"), (Self.page, "GET", "a b", 403, "AccessForbidden"),
            (Self.page, "GET", "a,,b", 200, ""), (Self.page, "GET", "\u{e9}", 403, "AccessForbidden"),
            (nil, "GET", nil, 400, "BadRequest"), (Self.page, nil, nil, 400, "BadRequest"),
        ]
        for (origin, method, headers, status, code) in cases {
            let response = try preflight(live, origin, method, headers)
            #expect(response.status == status, "\(origin ?? "") \(method ?? "") \(headers ?? ""): \(response.text)")
            #expect((response.code ?? "") == code)
            if origin != Self.page { #expect(response["access-control-allow-origin"] == nil) }
        }
        #expect(try preflight(LiveStore(), Self.page, "GET").code == "AccessForbidden")
    }

    @Test("Configured origins replace the default; the origin of the upload page stays allowed")
    func replaced() throws {
        let live = try LiveStore(origins: ["*", Self.page])
        live.store.allow(origin: "http://127.0.0.1:8080")
        #expect(try preflight(live, "http://old.example", "PUT").status == 200)
        live.store.replaceOrigins(by: CORSPolicy(origins: ["http://new.example"], maxAge: 60))
        let statuses = try [Self.page, "http://old.example", "http://new.example", "http://127.0.0.1:8080"].map {
            try preflight(live, $0, "PUT").status
        }
        #expect(statuses == [403, 403, 200, 200])
    }

    @Test("Responses to a configured origin have CORS headers, errors included; others have none")
    func corsHeaders() throws {
        let live = try LiveStore(origins: [Self.page])
        for (origin, isGranted) in [(Self.page, true), ("http://other.example", false)] {
            let headers = [("Origin", origin)]
            let results = [
                try live.exchange(.putObject, "key", headers: headers, body: [1]),
                try live.exchange(.getObject, "key", headers: headers),
                try live.exchange(.getObject, "missing", headers: headers),
                try live.send("GET", "/local/key", headers: headers),
            ]
            #expect(results.map(\.status) == [200, 200, 404, 403])
            for result in results {
                #expect((result["access-control-allow-origin"] == origin) == isGranted)
                #expect((result["access-control-expose-headers"]?.hasPrefix("ETag, ") ?? false) == isGranted)
                #expect(result.values("vary").contains("Origin"))
            }
        }
    }

    @Test("* allows every origin except null")
    func anyOrigin() throws {
        let live = try LiveStore(origins: ["*"])
        #expect(try preflight(live, "http://anywhere.example", "PUT")["access-control-allow-origin"] == "*")
        let named = try live.exchange(.getObject, "key", headers: [("Origin", "http://anywhere.example")])
        #expect(named["access-control-allow-origin"] == "*")
        #expect(try preflight(live, "null", "PUT").code == "AccessForbidden")
        let sandboxed = try live.exchange(.getObject, "key", headers: [("Origin", "null")])
        #expect(sandboxed["access-control-allow-origin"] == nil)
    }
}
