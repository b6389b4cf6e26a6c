import Testing

@testable import PresignTools

@Suite("Doctor's judgements of CORS")
struct BrowserJudgingTests {
    private static let origin = "https://app.example"
    private static let allowed = [
        "access-control-allow-origin": origin, "access-control-allow-methods": "GET, PUT",
        "access-control-allow-headers": "Content-Type,x-amz-checksum-sha256",
    ]

    @Test(
        "A preflight for an upload",
        arguments: [
            (200, [:], nil), (204, [:], nil), (200, ["access-control-allow-origin": "*"], nil),
            (200, ["access-control-allow-methods": "*", "access-control-allow-headers": "*"], nil),
            (403, [:], "responded 403"),
            (
                200, ["access-control-allow-origin": "https://other.example"],
                "Access-Control-Allow-Origin names another origin"
            ),
            (200, ["access-control-allow-methods": "GET,PUTS"], "Access-Control-Allow-Methods lacks PUT"),
            (
                200, ["access-control-allow-headers": "content-type"],
                "Access-Control-Allow-Headers lacks x-amz-checksum-sha256"
            ),
        ] as [(Int, [String: String], String?)])
    func preflight(status: Int, changes: [String: String], failure: String?) {
        let headers = Self.allowed.merging(changes) { $1 }
        let verdict = Verdict.preflight(
            DoctorFixture.reply(status, headers: headers), from: Self.origin,
            headers: ["content-type", "x-amz-checksum-sha256"])
        #expect(verdict == failure.map { .notEnforced($0) } ?? .enforced("\(status)"))
    }

    @Test("Without Access-Control-Allow-Origin nothing is allowed")
    func noOrigin() {
        let headers = Self.allowed.filter { $0.key != "access-control-allow-origin" }
        let reply = DoctorFixture.reply(200, headers: headers)
        let expected = Verdict.notEnforced("Access-Control-Allow-Origin is missing")
        #expect(Verdict.preflight(reply, from: Self.origin, headers: []) == expected)
        #expect(Verdict.exposedETag(reply, to: Self.origin) == expected)
        #expect(Verdict.exposedETag(DoctorFixture.reply(404), to: Self.origin).result == .notPossible)
    }

    @Test(
        "ETag must be exposed",
        arguments: [("ETag", true), ("x-amz-version-id, etag", true), ("*", true), ("x-etag", false), (nil, false)]
            as [(String?, Bool)])
    func exposed(list: String?, isExposed: Bool) {
        var headers = ["access-control-allow-origin": "*"]
        headers["access-control-expose-headers"] = list
        let verdict = Verdict.exposedETag(DoctorFixture.reply(200, headers: headers), to: Self.origin)
        #expect(verdict.result == (isExposed ? .enforced : .notEnforced))
    }
}
