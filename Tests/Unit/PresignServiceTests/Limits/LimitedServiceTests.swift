import HTTPServerTestSupport
import Requests
import SocketTestSupport
import Testing

@testable import PresignServiceTestSupport

@Suite("Rate limits")
struct LimitedServiceTests {
    private typealias Key = SampleConfiguration.Key
    private static let get = #"{"path":"public/a"}"#
    private static let exceeded = "https://iana.org/assignments/http-problem-types#quota-exceeded"

    private static func service(_ quotas: String, guest: Bool = false) throws -> TestService {
        try TestService(yaml(quotas, guest: guest))
    }

    private static func yaml(_ quotas: String, guest: Bool = false) -> String {
        var configuration = SampleConfiguration()
        configuration.quotas = quotas
        configuration.guest = guest
        configuration.links = true
        return configuration.yaml
    }

    private static func link(_ method: String, _ key: String) -> String {
        "\(method) /o/public/a HTTP/1.1\r\nHost: a\r\nX-API-Key: \(key)\r\n\r\n"
    }

    @Test("A caller above its limit gets Retry-After; others are not affected")
    func perCaller() throws {
        let service = try Self.service("{perCaller: {rate: 2/h, burst: 2}}")
        try verified(try service.exchange(presignRequest(Self.get)))
        // Both keys of one id belong to the same caller.
        #expect(try service.exchange(Self.link("GET", Key.web2)).status == 307)
        let origin = "Origin: https://app.example.com"
        for request in [presignRequest(Self.get, [origin]), presignRequest("{", [origin])] {
            let refused = try service.exchange(request)
            #expect(
                refused.status == 429 && refused["retry-after"].flatMap { Int($0) }.map { 1790...1800 ~= $0 } == true)
            #expect(refused["cache-control"] == "no-store" && refused["ratelimit"] == nil)
            #expect(refused["access-control-expose-headers"]?.contains("retry-after") == true)
            let problem = try refused.problem()
            #expect(problem.code == "rate-limited" && problem.status == 429)
            #expect(refused.text.hasPrefix(#"{"type":"urn:presign:problem:rate-limited","#))
        }
        #expect(try service.exchange(Self.link("GET", Key.web)).status == 429)
        try verified(try service.exchange(presignRequest(Self.get, key: Key.other)))
        #expect(
            service.logLines().filter {
                $0.contains(#""caller":"caller:web""#) && $0.contains(#""reason":"rate-limited""#)
            }.count == 3)
    }

    @Test("Guests are limited by address, holders of keys at that address are not")
    func perGuest() throws {
        let service = try Self.service("{perGuest: 1/h}", guest: true)
        try verified(try service.exchange(presignRequest(Self.get, key: nil)))
        let refused = try service.exchange(presignRequest(Self.get, key: nil))
        #expect(refused.status == 429 && (refused["retry-after"].flatMap { Int($0) } ?? 0) > 3500)
        for _ in 0..<3 { try verified(try service.exchange(presignRequest(Self.get))) }
    }

    @Test("Preflights, health checks, metrics, the description and the page never count")
    func free() throws {
        let service = try TestService(
            Self.yaml("{perGuest: 1/h}", guest: true).replacing("page: false", with: "page: true"))
        for target in [
            "OPTIONS /presign", "GET /healthz", "GET /readyz", "GET /metrics", "GET /openapi.yaml", "GET /",
        ] {
            for _ in 0..<2 {
                let response = try service.exchange("\(target) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(200..<300 ~= response.status, "\(target)")
            }
        }
        try verified(try service.exchange(presignRequest(Self.get, key: nil)))
        #expect(try service.exchange(presignRequest(Self.get, key: nil)).status == 429)
    }

    @Test("An address with too many failures gets 429 for invalid credentials; valid keys and guests are served")
    func failures() throws {
        let service = try Self.service("{failedAuthentications: {rate: 1/h, burst: 3}}", guest: true)
        for header in ["X-API-Key: \(Key.wrongSecret)", "Authorization: Bearer a.b.c", "Authorization: Basic eA=="] {
            #expect(try service.exchange(presignRequest(Self.get, key: nil, [header])).status == 401)
        }
        let bad = [
            "X-API-Key: \(Key.wrongSecret)", "X-API-Key: \(Key.unknownID)", "X-API-Key: \(Key.old)",
            "X-API-Key: nonsense",
            "Authorization: \(Key.web)", "Authorization: Basic eA==", "Authorization: Bearer a.b.c",
        ]
        for header in bad {
            let refused = try service.exchange(presignRequest(Self.get, key: nil, [header]))
            #expect(refused.status == 429 && refused["retry-after"] != nil && refused["www-authenticate"] == nil)
            #expect(try refused.problem().code == "rate-limited")
        }
        for header in ["X-API-Key: \(Key.web)", "Authorization: Bearer \(Key.other)"] {
            try verified(try service.exchange(presignRequest(Self.get, key: nil, [header])))
        }
        #expect(try service.exchange(Self.link("HEAD", Key.web), omitsBody: true).status == 307)
        #expect(try service.exchange(Self.link("HEAD", Key.wrongSecret), omitsBody: true).status == 429)
        try verified(try service.exchange(presignRequest(Self.get, key: nil)))
        #expect(try service.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
    }

    @Test("Valid and missing keys do not count as failures")
    func noFailures() throws {
        let service = try Self.service("{failedAuthentications: 1/h}")
        for _ in 0..<5 {
            try verified(try service.exchange(presignRequest(Self.get)))
            #expect(try service.exchange(presignRequest(Self.get, key: nil)).status == 401)
        }
        #expect(try service.exchange(presignRequest(Self.get, key: Key.off)).status == 401)
        #expect(try service.exchange(presignRequest(Self.get, key: Key.off)).status == 429)
    }

    @Test("A client with Expect: 100-continue is rejected before its body and counted once")
    func expectations() throws {
        let service = try Self.service("{perCaller: 2/h, failedAuthentications: 1/h}")
        func ask(_ key: String) throws -> Int? {
            let client = service.connect()
            let request = presignRequest(Self.get, key: key, ["Expect: 100-continue"])
            client.send(String(request.dropLast(Self.get.count)))
            let first = try client.response()
            guard first?.status == 100 else { return first?.status }
            client.send(Self.get)
            return try client.response()?.status
        }
        #expect(try [ask(Key.web), ask(Key.web), ask(Key.web)] == [200, 200, 429])
        #expect(try [ask(Key.off), ask(Key.off), ask(Key.other)] == [401, 429, 200])
    }

    @Test("With `headers` every response reports the remaining requests")
    func headers() throws {
        let service = try Self.service("{perCaller: {rate: 2/h, burst: 2}, failedAuthentications: 1/h, headers: true}")
        for left in [1, 0] {
            let response = try service.exchange(presignRequest(Self.get))
            #expect(response["ratelimit-policy"] == #""caller";q=2;w=3600"#)
            #expect(response["ratelimit"] == "\"caller\";r=\(left);t=\(left == 1 ? 1800 : 3600)")
        }
        let refused = try service.exchange(presignRequest(Self.get))
        #expect(refused.status == 429 && refused["ratelimit"]?.hasPrefix(#""caller";r=0;t="#) == true)
        #expect(refused.text.hasPrefix("{\"type\":\"\(Self.exceeded)\","))
        #expect(refused.text.contains(#""violated-policies":["caller"]"#))
        #expect(try service.exchange(presignRequest(Self.get, key: Key.off))["ratelimit"] == nil)
        let blocked = try service.exchange(presignRequest(Self.get, key: Key.off))
        #expect(blocked.text.contains(#""violated-policies":["failed-authentications"]"#))
        #expect(blocked["ratelimit-policy"] == #""failed-authentications";q=1;w=3600"#)
    }

    @Test("Each batch item counts, and a batch of a caller above its limit is rejected as a whole")
    func batch() throws {
        let service = try Self.service("{perCaller: {rate: 1/h, burst: 4}, headers: true}")
        func exchange(_ body: String) throws -> RawResponse {
            try service.exchange(
                presignRequest(body).replacing("POST /presign ", with: "POST /presign/batch "))
        }
        // A body that cannot be parsed counts as one.
        #expect(try exchange("{").status == 400)
        let items = Array(repeating: Self.get, count: 5).joined(separator: ",")
        let partly = try exchange(#"{"requests":[\#(items)]}"#)
        #expect(partly.status == 200 && partly["ratelimit"]?.hasPrefix(#""caller";r=0;t=3600"#) == true)
        #expect(partly.text.split(separator: #"{"url":""#).count - 1 == 3)
        #expect(partly.text.split(separator: #""status":429"#).count - 1 == 2)
        #expect(partly.text.contains(#""retryAfter":3600"#))
        let refused = try exchange(#"{"requests":[\#(items)]}"#)
        #expect(refused.status == 429 && refused["retry-after"] != nil)
    }

    @Test("An existence check counts once more; it delays the caller's next request and never refuses its own")
    func checks() throws {
        let service = try Self.service("{perCaller: {rate: 1/h, burst: 6}, headers: true}")
        let checked = #"{"path":"public/a","validateObjectExistence":true}"#
        func left(_ body: String, _ status: Int = 200) throws -> String? {
            let response = try service.exchange(presignRequest(body))
            #expect(response.status == status)
            return response["ratelimit"]
        }
        #expect(try left(checked) == #""caller";r=4;t=7200"#)
        #expect(try left(Self.get) == #""caller";r=3;t=10800"#)
        // The rules refuse it, so no HEAD is signed.
        #expect(try left(checked.replacing("public", with: "elsewhere"), 403) == #""caller";r=2;t=14400"#)
        let batch = try service.exchange(
            presignRequest(#"{"requests":[\#(Self.get),\#(checked),\#(Self.get)]}"#)
                .replacing("POST /presign ", with: "POST /presign/batch "))
        #expect(batch.text.split(separator: #"{"url":""#).count - 1 == 2)
        #expect(batch.text.contains(#""retryAfter":7200"#))
        #expect(try left(Self.get, 429) == #""caller";r=0;t=7200"#)
    }

    @Test("A reload changes the limits and keeps the counts")
    func reload() throws {
        let service = try Self.service("{perCaller: 1/h}")
        try verified(try service.exchange(presignRequest(Self.get)))
        try service.reload(Self.yaml("{perCaller: {rate: 1/h, burst: 2}}"))
        try verified(try service.exchange(presignRequest(Self.get)))
        #expect(try service.exchange(presignRequest(Self.get)).status == 429)
        try service.reload(Self.yaml("{perCaller: none}"))
        try verified(try service.exchange(presignRequest(Self.get)))
    }
}
