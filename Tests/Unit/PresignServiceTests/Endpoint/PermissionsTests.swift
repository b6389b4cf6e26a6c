import Foundation
import Requests
import SocketTestSupport
import TestSupport
import Testing

@testable import AccessRulesTestSupport
@testable import CallerAuthentication
@testable import PresignServiceTestSupport

@Suite("GET /permissions")
struct PermissionsTests {
    private typealias Key = SampleConfiguration.Key

    private static func service(
        guest: Bool = false, quotas: String = "{}", audit: Bool = false, proxy: String = "",
        files: [String: String] = [:]
    ) throws -> TestService {
        var configuration = SampleConfiguration()
        (configuration.guest, configuration.quotas, configuration.proxy) = (guest, quotas, proxy)
        return try TestService(configuration.yaml + (audit ? "\naudit: {to: stdout}\n" : "\n"), files: files)
    }

    private static func request(
        _ query: String, _ method: String = "GET", key: String? = Key.web, _ more: [String] = []
    ) -> String {
        let headers = ["Host: presign.test"] + (key.map { ["X-API-Key: \($0)"] } ?? []) + more
        return "\(method) /permissions\(query) HTTP/1.1\r\n" + headers.joined(separator: "\r\n") + "\r\n\r\n"
    }

    private static let standard = #""expiresIn":{"default":18000,"max":518400}"#

    @Test("The response has exactly the documented members")
    func body() throws {
        let service = try Self.service()
        let response = try service.exchange(Self.request("?path=inbox/cat%20%22a%22.jpg"))
        let expiry = #""expiresIn":{"default":300,"max":900}"#
        #expect(
            response.text == #"{"path":"inbox/cat \"a\".jpg","store":"media","#
                + #""caller":{"scheme":"apiKey","apiKey":"web","identity":"alice"},"actions":{"#
                + #""get":{\#(expiry),"overrides":"attachment","versions":false},"#
                + #""write":{\#(expiry),"types":["image/*"],"maxSize":1024,"checksum":"sha256","overwrite":false},"#
                + #""multipart":{\#(expiry),"types":["image/*"],"checksum":"sha256","overwrite":false}}}"# + "\n")
        #expect(response.status == 200 && response["content-type"] == "application/json")
        #expect(response["cache-control"] == "no-store" && response["x-request-id"] != nil)
        let free = try service.exchange(Self.request("?path=public/a", key: Key.other))
        #expect(
            free.text == #"{"path":"public/a","store":"media","caller":{"scheme":"apiKey","apiKey":"other","#
                + #""identity":"other"},"actions":{"get":{\#(Self.standard),"#
                + #""overrides":"attachment","versions":false},"write":{\#(Self.standard)},"delete":{\#(Self.standard)},"#
                + #""multipart":{\#(Self.standard)}}}"# + "\n")
    }

    @Test("Guests and users of a proxy are named too, also where they may do nothing")
    func otherCallers() throws {
        let proxy = "{from: [127.0.0.1/32], secretHeader: X-Proxy-Secret, secretFile: secret, identity: X-Auth-User}"
        let service = try Self.service(
            guest: true, proxy: "proxy: \(proxy)", files: ["secret": String(repeating: "s", count: 32)])
        let user = ["X-Proxy-Secret: " + String(repeating: "s", count: 32), #"X-Auth-User: a"lice"#]
        for (headers, caller) in [([], #"{"scheme":"guest"}"#), (user, #"{"scheme":"proxy","identity":"a\"lice"}"#)] {
            for path in ["public/a", "none/a", ""] {
                let response = try service.exchange(Self.request("?path=\(path)", key: nil, headers))
                #expect(response.text.contains(#","caller":\#(caller),"actions":"#), "\(response.text)")
            }
        }
    }

    @Test("Without a path, the response has the folders at which the caller can start")
    func roots() throws {
        let service = try Self.service(guest: true)
        let response = try service.exchange(Self.request(""))
        #expect(
            response.text == #"{"store":"media","caller":{"scheme":"apiKey","apiKey":"web","identity":"alice"},"#
                + #""roots":["public/","inbox/","settings/","once/","parts/","private/alice/"]}"# + "\n")
        #expect(response.status == 200 && response["cache-control"] == "no-store")
        let archive = try service.exchange(Self.request("?store=archive"))
        #expect(archive.status == 200 && archive.text.hasPrefix(#"{"store":"archive","#))
        let log = try LogLine.all(of: service)
        #expect(log.map(\.key) == [nil, nil] && log.map(\.store) == ["media", "archive"])
        #expect(try service.exchange(Self.request("?store=nowhere")).status == 400)
    }

    @Test("The response says whether there can be more folders", arguments: [100, 101])
    func truncatedRoots(count: Int) throws {
        let rules = (0..<count).map { "\n  - {path: d\($0)/**, allow: {authenticated: [write]}}" }.joined()
        let yaml = SampleConfiguration().yaml.replacing(/\nrules:(\n .*)*/, with: "\nrules:" + rules + "\n")
        let response = try TestService(yaml).exchange(Self.request(""))
        let roots = (0..<100).map { #""d\#($0)/""# }.joined(separator: ",")
        let end = count > 100 ? #","rootsTruncated":true}"# : "}"
        #expect(response.text.hasSuffix(#","roots":[\#(roots)]\#(end)"# + "\n"), "\(response.text)")
    }

    @Test("Guests see no folders unless the configuration shows them", arguments: [false, true])
    func guestFolders(isShown: Bool) throws {
        var configuration = SampleConfiguration()
        configuration.guest = true
        let page = "page: \(isShown ? "{guestFolders: true}" : "true")"
        let rules = "rules: [{path: drop/**, allow: {guest: [write]}}]\n"
        let yaml = configuration.yaml.replacing(/\nrules:(\n .*)*/, with: "\n" + rules)
        let service = try TestService(yaml.replacing("page: false", with: page))
        let response = try service.exchange(Self.request("", key: nil))
        let roots = isShown ? #"["drop/"]"# : "[]"
        #expect(response.status == 200)
        #expect(response.text == #"{"store":"media","caller":{"scheme":"guest"},"roots":\#(roots)}"# + "\n")
    }

    @Test("A multipart upload has a largest size only with partSize")
    func parts() throws {
        let response = try Self.service().exchange(Self.request("?path=parts/a"))
        #expect(
            response.text.contains(
                #"{"multipart":{\#(Self.standard),"maxSize":11534336,"partSize":5242880}}"#), "\(response.text)")
    }

    @Test(
        "The actions are those of the caller, the path and the store",
        arguments: [
            ("?path=public/a", nil, ["get"]), ("?path=inbox/a", nil, []), ("?path=inbox/a", Key.other, []),
            ("?path=private/alice/a", Key.web, ["get", "write"]), ("?path=private/bob/a", Key.web, []),
            ("?path=public/.a", Key.web, []), ("?path=public/a&store=archive", Key.web, ["get", "write"]),
            ("?store=archive&path=inbox/a", Key.web, []), ("?path=%F0%9F%90%88", Key.web, []),
            ("?path=public/", Key.web, []), ("?path=", Key.web, []),
            ("?path=public%2Fa+b", Key.web, ["get", "write", "delete", "multipart"]),
        ])
    func actions(query: String, key: String?, actions: [String]) throws {
        let response = try Self.service(guest: true).exchange(Self.request(query, key: key))
        #expect(response.status == 200)
        #expect(Set(try Permissions(response).actions.keys) == Set(actions))
    }

    @Test(
        "Invalid requests get the problems of POST /presign",
        arguments: [
            ("?path=/", 400, "validation", "#/path"),
            ("?path=/a", 400, "validation", "#/path"), ("?path=a//", 400, "validation", "#/path"),
            ("?path=a/..%2Fb", 400, "validation", "#/path"), ("?path=a/%252e%252e/b", 400, "validation", "#/path"),
            ("?path=a&store=nowhere", 400, "validation", "#/store"), ("?path=a&store=", 400, "validation", "#/store"),
            ("?path=a&method=PUT", 400, "validation", "#/method"), ("?key=a", 400, "validation", "#/key"),
            ("?path=a&path=b", 400, "validation", "#"), ("?path=%FF", 400, "validation", "#"),
            ("?path", 400, "validation", "#"), ("?path=a&Store=media", 400, "validation", "#/Store"),
        ])
    func invalid(query: String, status: Int, code: String, pointer: String) throws {
        let response = try Self.service().exchange(Self.request(query))
        #expect(response.status == status)
        let problem = try response.problem()
        #expect(problem.code == code && problem.pointers.first == pointer, "\(response.text)")
    }

    @Test("A path that is too long with the store's prefix is refused only where an action is granted")
    func tooLongWithPrefix() throws {
        let yaml = SampleConfiguration().yaml.replacing("requestLine: 512", with: "requestLine: 4k")
        let service = try TestService(yaml)
        for (folder, status) in [("public", 400), ("inbox", 200)] {
            let path = folder + "/" + String(repeating: "x", count: 1022 - folder.utf8.count)
            #expect(try service.exchange(Self.request("?store=archive&path=\(path)")).status == status)
        }
    }

    @Test("Callers without valid credentials are refused before the path is looked at")
    func credentials() throws {
        let service = try Self.service()
        let cases: [(String?, [String], Int, String)] = [
            (nil, [], 401, "credentials-missing"), (Key.wrongSecret, [], 401, "credentials-invalid"),
            (Key.old, [], 401, "key-expired"),
            (Key.web, ["Authorization: Bearer x"], 400, "credentials-ambiguous"),
        ]
        for (key, more, status, code) in cases {
            for query in ["?path=public/a", "?path=/a", ""] {
                let response = try service.exchange(Self.request(query, key: key, more))
                #expect(try response.status == status && response.problem().code == code)
            }
        }
    }

    @Test("HEAD has the same status and headers without a body, OPTIONS lists the methods, others get 405")
    func methods() throws {
        let service = try Self.service()
        let length = try service.exchange(Self.request("?path=public/a"))["content-length"]
        let head = try service.exchange(Self.request("?path=public/a", "HEAD"), omitsBody: true)
        #expect(head.status == 200 && head.body.isEmpty && head["content-length"] == length)
        #expect(try service.exchange(Self.request("?path=/", "HEAD"), omitsBody: true).status == 400)
        let options = try service.exchange(Self.request("", "OPTIONS", key: nil))
        #expect(options.status == 204 && options["allow"] == "GET, HEAD, OPTIONS")
        for method in ["POST", "PUT", "DELETE", "PATCH"] {
            let response = try service.exchange(Self.request("?path=public/a", method))
            #expect(response.status == 405 && response["allow"] == "GET, HEAD, OPTIONS")
        }
        for path in ["/permissions/", "/Permissions", "/permissions/a"] {
            let request = Self.request("").replacing("/permissions ", with: path + " ")
            #expect(try service.exchange(request).status == 404)
        }
    }

    @Test("A page of a configured origin can read the response; a foreign one cannot")
    func crossOrigin() throws {
        let service = try Self.service()
        for (origin, allowed) in [("https://app.example.com", true), ("https://evil.example", false)] {
            let preflight = [
                "Origin: \(origin)", "Access-Control-Request-Method: GET",
                "Access-Control-Request-Headers: authorization",
            ]
            let asked = try service.exchange(Self.request("?path=public/a", "OPTIONS", key: nil, preflight))
            #expect(asked.status == 204)
            #expect(asked["access-control-allow-methods"] == (allowed ? "GET, HEAD, OPTIONS" : nil))
            for query in ["?path=public/a", "?path=/"] {
                let response = try service.exchange(Self.request(query, "GET", ["Origin: \(origin)"]))
                #expect(response["access-control-allow-origin"] == (allowed ? origin : nil))
                #expect(response.values("vary").contains("Origin"))
            }
        }
    }

    @Test("Each request counts against the rate limit of the caller, or of the guest's address")
    func rateLimit() throws {
        let service = try Self.service(
            guest: true, quotas: "{perCaller: {rate: 1/h, burst: 2}, perGuest: 1/h, headers: true}")
        let first = try service.exchange(Self.request("?path=public/a"))
        #expect(first["ratelimit"]?.hasPrefix(#""caller";r=1;"#) == true)
        #expect(try service.exchange(Self.request("?path=/")).status == 400)
        let refused = try service.exchange(Self.request("?path=public/a"))
        #expect(try refused.status == 429 && refused["retry-after"] != nil && refused.problem().code == "rate-limited")
        #expect(try service.exchange(presignRequest(#"{"path":"public/a"}"#)).status == 429)
        #expect(try service.exchange(Self.request("?path=public/a", key: nil)).status == 200)
        #expect(try service.exchange(Self.request("?path=public/a", key: nil)).status == 429)
    }

    @Test("The request log has the caller, the store and the path; the audit has only refusals")
    func records() throws {
        let service = try Self.service(quotas: "{perCaller: {rate: 1/h, burst: 3}}", audit: true)
        for request in [
            Self.request("?path=public/a"), Self.request("?path=a//"), Self.request("?path=a&store=nowhere"),
            Self.request("?path=public/a"), Self.request("?path=public/a", key: Key.off),
        ] { _ = try service.exchange(request) }
        let log = try LogLine.all(of: service)
        #expect(log.map(\.status) == [200, 400, 400, 429, 401])
        #expect(log.allSatisfy { $0.path == "/permissions" && $0.action == nil && $0.rule == nil })
        #expect(log.map(\.caller) == Array(repeating: "caller:web", count: 4) + [nil])
        #expect(log.map(\.store) == ["media", "media", "nowhere", nil, nil])
        #expect(log.map(\.key) == ["public/a", "a//", "a", nil, nil])
        #expect(log.map(\.reason) == [nil, "path", "validation", "rate-limited", "disabled API key"])
        let entries = try AuditEntry.all(of: service)
        #expect(entries.map(\.status) == [400, 400, 429, 401])
        #expect(
            entries.map(\.event) == [
                "input_validation_fail", "input_validation_fail", "rate_limited", "authn_fail",
            ])
    }

    @Test("The metrics count requests under the route and refusals by code, but no URL")
    func metrics() throws {
        let service = try Self.service()
        for query in ["?path=public/a", "?path=public/b", "?path=/"] { _ = try service.exchange(Self.request(query)) }
        let metrics = Exposition(try service.exchange("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n").text)
        let route = { metrics.value("presign_http_requests_total", ["route": "/permissions", "status": $0]) }
        #expect(route("200") == 2 && route("400") == 1)
        #expect(metrics.value("presign_refusals_total", ["code": "validation"]) == 1)
        #expect(metrics.samples.filter { $0.name == "presign_urls_total" }.allSatisfy { $0.value == 0 })
    }
}

/// The body of `GET /permissions`.
private struct Permissions: Decodable {
    struct Limits: Decodable {}

    let actions: [String: Limits]

    init(_ response: RawResponse) throws {
        self = try JSONDecoder().decode(Permissions.self, from: Data(response.body))
    }
}
