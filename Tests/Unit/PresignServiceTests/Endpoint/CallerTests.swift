import Requests
import SocketTestSupport
import Testing

@testable import PresignServiceTestSupport

@Suite("Authentication of callers")
struct CallerTests {
    private typealias Key = SampleConfiguration.Key
    private static let get = #"{"path":"public/a"}"#
    private static let missing = #"Bearer realm="presign""#
    private static let invalid = #"Bearer realm="presign", error="invalid_token""#

    private static func guests(_ allowed: Bool) throws -> TestService {
        var configuration = SampleConfiguration()
        configuration.guest = allowed
        return try TestService(configuration.yaml)
    }

    @Test(
        "Valid credentials are accepted",
        arguments: [
            "X-API-Key: \(Key.web)", "X-API-Key: \(Key.web2)", "Authorization: Bearer \(Key.web)",
            "authorization: bEARER   \(Key.other)", "x-api-key:\t\(Key.other) ",
        ])
    func accepted(header: String) throws {
        try verified(try TestService().exchange(presignRequest(Self.get, key: nil, [header])))
    }

    static let rejected = [
        "X-API-Key: \(Key.unknownID)", "X-API-Key: \(Key.wrongSecret)", "X-API-Key: \(Key.off)",
        "X-API-Key: ", "X-API-Key: psk_web", "Authorization: Bearer \(Key.wrongSecret)",
        "Authorization: Basic d2ViOng=", "Authorization: Bearer", "Authorization: Bearer a.b.c",
        "Authorization: Bearer \(Key.web) \(Key.web)", "Authorization: ",
    ]

    @Test(
        "All invalid credentials get the same 401, and the caller is not treated as a guest", arguments: [true, false])
    func rejected(guests: Bool) throws {
        let service = try Self.guests(guests)
        var distinct: Set<String> = []
        for header in Self.rejected {
            let response = try service.exchange(presignRequest(Self.get, key: nil, [header, "X-Request-Id: same"]))
            #expect(response.status == 401, "\(header)")
            #expect(response["www-authenticate"] == Self.invalid)
            let fields = response.fields.filter { $0.name != "date" }.map { "\($0.name): \($0.value)" }
            distinct.insert(fields.joined(separator: "\n") + "\n\n" + response.text)
        }
        #expect(distinct.count == 1)
        #expect(distinct.first?.contains("psk_web") == false)
    }

    @Test("An API key past its notAfter is reported as expired in either header")
    func expiredKey() throws {
        let service = try TestService()
        for header in ["X-API-Key: \(Key.old)", "Authorization: Bearer \(Key.old)"] {
            let response = try service.exchange(presignRequest(Self.get, key: nil, [header]))
            #expect(response.status == 401)
            #expect(response["www-authenticate"] == Self.invalid + #", error_description="The API key has expired""#)
            let problem = try response.problem()
            #expect(problem.code == "key-expired" && problem.detail == "The API key has expired")
        }
        // Another key of the same id does not belong to the holder.
        let other = String(Key.old.dropLast()) + "X"
        let response = try service.exchange(presignRequest(Self.get, key: other))
        #expect(try response.problem().code == "credentials-invalid")
    }

    @Test(
        "An API key in Authorization without Bearer gets a hint, valid or not", arguments: [Key.web, Key.wrongSecret])
    func missingScheme(key: String) throws {
        let response = try TestService().exchange(presignRequest(Self.get, key: nil, ["Authorization: \(key)"]))
        #expect(response.status == 401 && response["www-authenticate"] == Self.invalid)
        #expect(try response.problem().detail == "The Authorization header has an API key without the scheme Bearer")
        #expect(response.text.contains(#"Send \"Authorization: Bearer psk_...\""#) && !response.text.contains(key))
    }

    @Test("Missing credentials are reported as missing, not as invalid")
    func missing() throws {
        let response = try TestService().exchange(presignRequest(Self.get, key: nil))
        #expect(response.status == 401 && response["www-authenticate"] == Self.missing)
        #expect(try response.problem().code == "credentials-missing")
    }

    @Test("A known caller without permission gets 403, a guest 401")
    func forbidden() throws {
        let service = try Self.guests(true)
        let body = #"{"path":"inbox/a"}"#
        let known = try service.exchange(presignRequest(body, key: Key.other))
        #expect(known.status == 403)
        #expect(known["www-authenticate"] == #"Bearer realm="presign", error="insufficient_scope""#)
        let guest = try service.exchange(presignRequest(body, key: nil))
        #expect(guest.status == 401 && guest["www-authenticate"] == Self.missing)
        try verified(try service.exchange(presignRequest(Self.get, key: nil)))
        let put = try service.exchange(presignRequest(#"{"path":"public/a","method":"PUT"}"#, key: nil))
        #expect(put.status == 401)
    }

    @Test(
        "With the embedded storage a 403 contains reason and rule, otherwise never",
        arguments: [
            (#"{"path":"elsewhere/a"}"#, "no-rule: no rule of this store matches the path"),
            (#"{"path":"private/bob/a"}"#, "no-grant: the rule `private/{identity}/**` (test.yaml:"),
            (#"{"path":"private/bob/a"}"#, ") does not grant you `get`"),
            (#"{"path":"public/.env"}"#, "deny: the deny pattern `**/.*` (test.yaml:"),
        ])
    func explainedDenials(body: String, detail: String) throws {
        let yaml = SampleConfiguration().yaml
        let explained = try TestService(yaml + "\nlocal: {directory: data}")
            .exchange(presignRequest(body).replacing("presign.test", with: "presign.localhost"))
        let plain = try TestService(yaml).exchange(presignRequest(body))
        #expect(try explained.status == 403 && explained.problem().detail.contains(detail), "\(explained.text)")
        #expect(plain.status == 403)
        #expect(try plain.problem().detail == "The access rules do not allow you this operation on this path")
    }

    @Test(
        "Two sets of credentials are ambiguous",
        arguments: [
            ["X-API-Key: \(Key.web)", "X-API-Key: \(Key.web)"],
            ["Authorization: Bearer \(Key.web)", "X-API-Key: \(Key.web)"],
            ["Authorization: Bearer \(Key.web)", "Authorization: Basic x"],
        ])
    func ambiguous(headers: [String]) throws {
        let response = try TestService().exchange(presignRequest(Self.get, key: nil, headers))
        #expect(response.status == 400)
        #expect(try response.problem().code == "credentials-ambiguous")
    }

    @Test("Credentials are checked before the body is parsed")
    func order() throws {
        let response = try TestService().exchange(presignRequest("{", key: nil))
        #expect(response.status == 401)
    }

    @Test(
        "A form from a page of a foreign origin is rejected",
        arguments: [
            (nil, 200), ("https://app.example.com", 200), ("https://evil.example", 403), ("null", 403),
            ("https://app.example.com.evil.example", 403), ("HTTPS://APP.EXAMPLE.COM", 403),
        ] as [(String?, Int)])
    func foreignForms(origin: String?, status: Int) throws {
        let more = origin.map { ["Origin: " + $0] } ?? []
        let response = try TestService().exchange(
            presignRequest("path=public/a", type: "application/x-www-form-urlencoded", more))
        #expect(response.status == status)
        if status == 403 { #expect(try response.problem().code == "foreign-origin") }
        // A page cannot send JSON without a preflight, so it gets a response.
        try verified(try TestService().exchange(presignRequest(Self.get, more)))
    }
}
