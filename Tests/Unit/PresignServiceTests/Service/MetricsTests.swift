import Foundation
import HTTPServerTestSupport
import ObjectExistence
import Requests
import SocketTestSupport
import Telemetry
import TestSupport
import Testing

@testable import PresignService
@testable import PresignServiceTestSupport
@testable import Presigning

@Suite("GET /metrics")
struct MetricsTests {
    private typealias Key = SampleConfiguration.Key

    private static func get(_ path: String, _ method: String = "GET") -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: a\r\n\r\n"
    }

    private static func scrape(_ service: TestService) throws -> Exposition {
        let response = try service.exchange(get("/metrics"))
        #expect(response.status == 200 && response["cache-control"] == "no-store")
        #expect(response["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        let exposition = Exposition(response.text)
        #expect(exposition.violations == [])
        return exposition
    }

    @Test("Every request is counted once by route and status, and every rejection by code")
    func requests() throws {
        let service = try TestService()
        let before = try Self.scrape(service)
        #expect(before.value("presign_http_requests_total", ["route": "/metrics"]) == nil)
        for _ in 0..<3 { _ = try service.exchange(presignRequest(#"{"path":"public/a"}"#)) }
        for request in [
            presignRequest(#"{"path":"public/a","method":"PUT","store":"archive"}"#),
            presignRequest(#"{"path":"no/a"}"#), presignRequest("{"), presignRequest("{}", key: Key.off),
            presignRequest("{}", type: "a/b", ["Expect: 100-continue"]),
            presignRequest(#"{"path":"inbox/a","method":"PUT","contentLength":2000}"#),
            Self.get("/presign"), Self.get("/healthz"), Self.get("/readyz"), Self.get("/nowhere"),
            Self.get("/o/public/a"),
            Self.get("/healthz", "OPTIONS"), Self.get("*", "OPTIONS"), Self.get("/healthz", "BREW"), "nonsense\r\n\r\n",
            "GET /healthz HTTP/1.1\r\n\r\n",
        ] { _ = try service.exchange(request) }
        let after = try Self.scrape(service)
        let requests: [(String, Int, Double)] = [
            ("/presign", 200, 4), ("/presign", 403, 1), ("/presign", 400, 1), ("/presign", 415, 1),
            ("/presign", 401, 1),
            ("/presign", 422, 1), ("/presign", 405, 1), ("/healthz", 200, 1), ("/readyz", 200, 1), ("/healthz", 204, 1),
            ("*", 204, 1), ("other", 404, 2), ("other", 501, 1), ("other", 400, 2), ("/metrics", 200, 1),
        ]
        for (route, status, count) in requests {
            let found = after.value("presign_http_requests_total", ["route": route, "status": "\(status)"])
            #expect(found == count, "\(route) \(status)")
        }
        let all = after.samples.filter { $0.name == "presign_http_requests_total" }
        #expect(all.count == requests.count && all.map(\.value).reduce(0, +) == 20)
        let durations = after.samples.filter { $0.name == "presign_http_request_duration_seconds_count" }
        #expect(durations.map(\.value).reduce(0, +) == 20)
        let refusals: [(String, Double)] = [
            ("forbidden", 1), ("validation", 1), ("credentials-invalid", 1), ("constraint", 1), ("no-such-route", 2),
            ("method-not-allowed", 1), ("not-implemented", 1), ("malformed-request", 2), ("unsupported-media-type", 1),
        ]
        for (code, count) in refusals {
            #expect(after.value("presign_refusals_total", ["code": code]) == count, "\(code)")
        }
        let refused = after.samples.filter { $0.name == "presign_refusals_total" && $0.value > 0 }
        #expect(refused.count == refusals.count)
        #expect(after.value("presign_urls_total", ["store": "media", "operation": "GetObject"]) == 3)
        #expect(after.value("presign_urls_total", ["store": "archive", "operation": "PutObject"]) == 1)
        #expect(after.samples.filter { $0.name == "presign_urls_total" }.map(\.value).reduce(0, +) == 4)
        #expect(after.value("presign_ready") == 1)
    }

    @Test("A batch counts as one request; its items count as URLs and rejections")
    func batch() throws {
        let service = try TestService(storage: [.status(404), .status(200)])
        let items = [
            #"{"path":"public/a"}"#, #"{"path":"no/b"}"#, "{}", #"{"path":"public/c","validateObjectExistence":true}"#,
            #"{"path":"public/d","validateObjectExistence":true}"#, #"{"path":"public/e","method":"DELETE"}"#,
        ]
        let request = presignRequest(#"{"requests":[\#(items.joined(separator: ","))]}"#)
        _ = try service.exchange(request.replacing("POST /presign ", with: "POST /presign/batch "))
        let metrics = try Self.scrape(service)
        #expect(metrics.value("presign_http_requests_total") == 1)
        #expect(metrics.value("presign_http_requests_total", ["route": "/presign/batch", "status": "200"]) == 1)
        #expect(metrics.value("presign_urls_total", ["store": "media", "operation": "GetObject"]) == 2)
        #expect(metrics.value("presign_urls_total", ["store": "media", "operation": "DeleteObject"]) == 1)
        for code in ["forbidden", "validation", "key-not-found"] {
            #expect(metrics.value("presign_refusals_total", ["code": code]) == 1, "\(code)")
        }
    }

    @Test("Existence checks are counted by outcome, and while in progress")
    func existence() throws {
        let outcomes: [(ExistenceOutcome, String, String?)] = [
            (.status(200), "found", nil), (.status(206), "found", nil), (.status(404), "missing", "key-not-found"),
            (.status(403), "denied", "storage-denied"), (.status(500), "unexpected", "storage-error"),
            (.failed("x"), "unreachable", "storage-unreachable"), (.timedOut, "timeout", "storage-timeout"),
            (.overloaded, "overloaded", "overloaded"),
        ]
        let service = try TestService(storage: outcomes.map(\.0))
        let body = presignRequest(#"{"path":"public/a","validateObjectExistence":true}"#)
        for _ in outcomes { _ = try service.exchange(body) }
        let metrics = try Self.scrape(service)
        for (_, outcome, code) in outcomes {
            let count = Double(outcomes.count { $0.1 == outcome })
            #expect(metrics.value("presign_existence_checks_total", ["outcome": outcome]) == count)
            if let code { #expect(metrics.value("presign_refusals_total", ["code": code]) == 1) }
        }
        #expect(metrics.value("presign_existence_check_duration_seconds_count") == 8)
        #expect(metrics.value("presign_urls_total", ["store": "media", "operation": "GetObject"]) == 2)
        #expect(metrics.value("presign_http_requests_in_flight") == 0)
    }

    @Test("Requests waiting for the storage count as in flight; the metrics request does not")
    func inFlight() throws {
        let service = try TestService(holdsHeads: true)
        let client = service.connect()
        client.send(presignRequest(#"{"path":"public/a","validateObjectExistence":true}"#))
        service.storage.awaitRequest()
        #expect(try Self.scrape(service).value("presign_http_requests_in_flight") == 1)
        service.storage.release()
        #expect(try client.response()?.status == 200)
        #expect(try Self.scrape(service).value("presign_http_requests_in_flight") == 0)
    }

    @Test("Exceeded limits are counted by kind")
    func limits() throws {
        var configuration = SampleConfiguration()
        configuration.guest = true
        configuration.quotas =
            "{perCaller: {rate: 1/h, burst: 1}, perGuest: {rate: 1/h, burst: 1},"
            + " failedAuthentications: {rate: 1/h, burst: 1}}"
        let service = try TestService(configuration.yaml)
        for key in [Key.web, Key.web, Key.web, nil, nil, Key.off, Key.off] {
            _ = try service.exchange(presignRequest(#"{"path":"public/a"}"#, key: key))
        }
        let metrics = try Self.scrape(service)
        #expect(metrics.value("presign_limits_hit_total", ["limit": "caller"]) == 2)
        #expect(metrics.value("presign_limits_hit_total", ["limit": "guest"]) == 1)
        #expect(metrics.value("presign_limits_hit_total", ["limit": "failed-authentications"]) == 1)
        #expect(metrics.value("presign_refusals_total", ["code": "rate-limited"]) == 4)
    }

    @Test("A reload keeps the counters, also of a store that was removed and added again")
    func reload() throws {
        let service = try TestService()
        let body = presignRequest(#"{"path":"public/a","store":"archive"}"#)
        _ = try service.exchange(body)
        let other = SampleConfiguration().yaml.replacing("archive", with: "attic")
        try service.reload(other)
        _ = try service.exchange(body.replacing("archive", with: "attic").replacing("Length: 37", with: "Length: 35"))
        try service.reload(SampleConfiguration().yaml)
        _ = try service.exchange(body)
        let metrics = try Self.scrape(service)
        #expect(metrics.value("presign_urls_total", ["store": "archive", "operation": "GetObject"]) == 2)
        #expect(metrics.value("presign_urls_total", ["store": "attic", "operation": "GetObject"]) == 1)
    }

    @Test("The route allows GET and HEAD, and HEAD has no body")
    func methods() throws {
        let service = try TestService()
        let head = try service.exchange(Self.get("/metrics", "HEAD"), omitsBody: true)
        #expect(head.status == 200 && head["content-type"]?.hasPrefix("text/plain; version=0.0.4") == true)
        for method in ["POST", "PUT", "DELETE"] {
            let refused = try service.exchange(Self.get("/metrics", method))
            #expect(refused.status == 405 && refused["allow"] == "GET, HEAD, OPTIONS")
        }
        #expect(try service.exchange(Self.get("/metrics", "OPTIONS")).status == 204)
        #expect(try service.exchange(Self.get("/metrics/")).status == 404)
    }

    @Test("The series do not depend on what is requested")
    func bounded() throws {
        var configuration = SampleConfiguration()
        configuration.links = true
        let service = try TestService(configuration.yaml)
        func flood(_ seed: UInt64) throws -> Set<String> {
            var random = SeededGenerator(seed: seed)
            let client = service.connect()
            for _ in 0..<200 {
                let word = String(
                    (0..<Int.random(in: 1...12, using: &random)).map { _ in
                        "abcdefghijklmnopqrstuvwxyzABC0123456789-_.~%".randomElement(using: &random) ?? "a"
                    })
                let target =
                    ["/", "/o/", "/presign/", "/metrics/", "/presign?", "/o/public/"].randomElement(using: &random)
                    ?? ""
                let method = ["GET", "PUT", "PATCH", "TRACE", "DELETE"].randomElement(using: &random) ?? ""
                client.send(Self.get(target + word, method))
                _ = try client.response()
                _ = try service.exchange(
                    presignRequest(#"{"path":"\#(word)","store":"\#(word)"}"#, ["X-\(word): \(word)"]))
                _ = try service.exchange(Self.get("/" + word, word.filter(\.isLetter) + "X"))
            }
            return Set(try Self.scrape(service).samples.map { $0.series })
        }
        _ = try flood(1)
        let first = try flood(2)
        let second = try flood(3)
        #expect(first == second && first.count < 400, "\(second.symmetricDifference(first))")
    }

    @Test("The remaining life of temporary credentials is reported; long-term ones have no value")
    func credentials() throws {
        let name = "presign_credentials_remaining_seconds"
        let standing = try Self.scrape(try TestService())
        #expect(standing.samples.allSatisfy { $0.name != name })
        var environment = SampleConfiguration.environment
        environment["AWS_SESSION_TOKEN"] = "TOKEN"
        let end = TestClock.startTime.advanced(bySeconds: 1000)
        environment["AWS_CREDENTIAL_EXPIRATION"] = end.rfc3339Text
        let metrics = try Self.scrape(try TestService(environment: environment))
        let left = try #require(metrics.value(name, ["store": "media", "role": "read"]))
        #expect(left == 1000 && metrics.value(name, ["store": "inside", "role": "write"]) == left)
        #expect(metrics.value("presign_credentials_failures_total", ["store": "media", "role": "write"]) == 0)
    }

    @Test("Dropped and written audit lines are counted")
    func auditLines() throws {
        let yaml = SampleConfiguration().yaml
        #expect(try Self.scrape(try TestService(yaml)).families.allSatisfy { !$0.name.contains("audit") })
        let service = try TestService(yaml + "\naudit: {to: stdout}\n")
        for _ in 0..<3 { _ = try service.exchange(presignRequest(#"{"path":"public/a"}"#)) }
        let metrics = try Self.scrape(service)
        #expect(metrics.value("presign_audit_lines_total") == 3)
        #expect(metrics.value("presign_audit_lines_dropped_total") == 0)
        #expect(metrics.value("presign_log_lines_dropped_total", ["log": "requests"]) == 0)
    }

    @Test("The standard process metrics have plausible values")
    func process() throws {
        let metrics = try Self.scrape(try TestService())
        let now = Date().timeIntervalSince1970
        let start = try #require(metrics.value("process_start_time_seconds"))
        #expect(start < now && start > now - 86_400)
        #expect(metrics.value("process_cpu_seconds_total") ?? 0 > 0)
        #expect(metrics.value("process_resident_memory_bytes") ?? 0 > 1_000_000)
        let open = try #require(metrics.value("process_open_fds"))
        #expect(open >= 5 && open <= metrics.value("process_max_fds") ?? 0)
        #expect(metrics.value("presign_build_info", ["version": BuildInformation.version]) == 1)
    }

    @Test("The separate address serves the metrics and nothing else, and its requests are neither counted nor logged")
    func ownAddress() throws {
        let yaml = SampleConfiguration().yaml + "\nmetrics: {listen: \"127.0.0.1:9090\"}\naudit: {to: stdout}\n"
        let service = try TestService(yaml, offersOnlyMetrics: true)
        for path in ["/", "/presign", "/healthz", "/readyz", "/o/public/a", "/permissions", "*", "/metrics/"] {
            let refused = try service.exchange(Self.get(path, path == "*" ? "OPTIONS" : "GET"))
            #expect(
                refused.status == 404 && refused.text.contains("Send GET /metrics. Presign requests go to"), "\(path)")
        }
        let post = try service.exchange("POST /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
        #expect(post.status == 405 && post["allow"] == "GET, HEAD, OPTIONS")
        _ = try service.exchange("nonsense\r\n\r\n")
        let origin = "Origin: https://app.example.com\r\n\r\n"
        let read = try service.exchange("GET /metrics HTTP/1.1\r\nHost: a\r\n" + origin)
        #expect(read.status == 200 && read["access-control-allow-origin"] == nil)
        let metrics = try Self.scrape(service)
        for family in ["presign_http_requests_total", "presign_http_request_duration_seconds_count"] {
            #expect(metrics.samples.allSatisfy { $0.name != family }, "\(family)")
        }
        #expect(metrics.samples.allSatisfy { $0.name != "presign_refusals_total" || $0.value == 0 })
        #expect(metrics.value("presign_audit_lines_total") == 0 && service.logLines().isEmpty)
    }

    @Test("Without metrics the route does not exist")
    func disabled() throws {
        let service = try TestService(SampleConfiguration().yaml + "\nmetrics: {enabled: false}\n")
        #expect(try service.exchange(Self.get("/metrics")).status == 404)
    }
}
