import Requests
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport
@testable import DataFormats
@testable import HTTP1
@testable import Presigning

@Suite("Upload limits")
struct ConstraintTests {
    private static let yaml = """
        rules:
          - path: up/**
            allow:
              guest: {actions: [write], maxSize: 1k}
              authenticated: {actions: [read, write, multipart], expires: {max: 1h}}
              group:big: {actions: [write], maxSize: 1g, overwrite: true, expires: {max: 2h}}
            write: {types: [image/*, application/pdf], maxSize: 1m, checksum: sha256, overwrite: false}
            expires: {default: 5m, max: 15m}
        """

    private func decision(
        _ action: AccessAction = .write, as caller: Caller = PolicyFixture.user("a"),
        _ declare: (inout PresignRequest) -> Void = { _ in }
    ) throws -> AccessDecision {
        var request = PolicyFixture.request("up/f", action, as: caller)
        request.contentType = "image/png"
        request.contentLength = 1000
        request.declare(.sha256)
        declare(&request)
        return try PolicyFixture.compile(Self.yaml).policy.decision(for: request)
    }

    @Test func listsEveryUnmetLimit() throws {
        let decision = try decision {
            ($0.contentType, $0.contentLength, $0.checksumSHA256, $0.expiresIn) = (nil, nil, nil, 3601)
        }
        let unmet: [UnmetConstraint] = [
            .contentType(nil, allowed: ["image/*", "application/pdf"].compactMap { MediaRange($0) }),
            .contentLength(nil, maximum: 1 << 20), .checksum(.sha256), .expiresIn(3601, maximum: 3600),
        ]
        guard case .unmet(unmet, let rule) = decision else {
            Issue.record("\(decision)")
            return
        }
        #expect(
            rule.reference.position == SourcePosition(file: "p.yaml", line: 2, column: 11) && decision.status == 422)
    }

    private static let described: [(UnmetConstraint, String)] = [
        (.contentType(nil, allowed: types), "is missing; must be image/*, text/csv or application/pdf"),
        (
            .contentType("text/html", allowed: types),
            "`text/html` is not allowed here; must be image/*, text/csv or application/pdf"
        ),
        (
            .contentType(String(repeating: "a", count: 65), allowed: Array(types[..<2])),
            "`" + String(repeating: "a", count: 64) + "...` is not allowed here; must be image/* or text/csv"
        ),
        (.contentType("", allowed: Array(types[..<2])), "is empty; must be image/* or text/csv"),
        // The message does not offer what it refuses.
        (.contentType("Image/*", allowed: Array(types[..<2])), "`Image/*` is a range of types; send one type"),
        (.contentLength(nil, maximum: 10 << 20), "is missing; must be at most 10 MiB"),
        (
            .contentLength(315_000_000, maximum: 10 << 20),
            "315000000 bytes is more than this rule allows (10 MiB)"
        ),
        (.contentLength(1 << 50, maximum: 5 << 40), "1125899906842624 bytes is more than this rule allows (5 TiB)"),
        (.contentLength(1 << 40, maximum: 3 << 29), "1099511627776 bytes is more than this rule allows (1536 MiB)"),
        (.contentLength(2000, maximum: 1000), "2000 bytes is more than this rule allows (1000 bytes)"),
        (.expiresIn(3601, maximum: 3600), "3601 seconds is more than the maximum (3600 seconds)"),
    ]

    @Test("An unmet limit states what is allowed", arguments: described)
    func descriptions(constraint: UnmetConstraint, description: String) {
        #expect(constraint.description == description)
    }

    private static let types: [MediaRange] = ["image/*", "text/csv", "application/pdf"].compactMap { MediaRange($0) }

    @Test(
        "A size outside the rule's limits is rejected",
        arguments: [(0, "allowed"), (1 << 20, "allowed"), (1 << 20 + 1, "unmet"), (-1, "unmet"), (.max, "unmet")])
    func sizes(size: Int64, code: String) throws {
        #expect(try decision { $0.contentLength = size }.code == code)
    }

    @Test(
        "The grantee's limits replace the rule's", arguments: [(1024, "allowed"), (1025, "unmet")] as [(Int64, String)])
    func override(size: Int64, code: String) throws {
        #expect(try decision(as: .guest) { $0.contentLength = size }.code == code)
    }

    @Test(
        "Upload limits do not apply to reads and multipart uploads", arguments: [AccessAction.get, .list, .multipart])
    func others(action: AccessAction) throws {
        let decision = try decision(action) { ($0.contentType, $0.contentLength, $0.checksumSHA256) = (nil, nil, nil) }
        guard case .allowed(let allowance) = decision else {
            Issue.record("\(decision)")
            return
        }
        // Completing a multipart upload can overwrite an object too.
        #expect(allowance.requiresIfNoneMatch == (action == .multipart))
    }

    @Test("Grants add up, and the widest grant that is met applies")
    func union() throws {
        let big = PolicyFixture.user("a", groups: ["big"])
        guard case .allowed(let allowance) = try decision(as: big) else {
            Issue.record("not allowed")
            return
        }
        #expect(!allowance.requiresIfNoneMatch)
        #expect(allowance.constraints.maximumExpiry == 7200 && allowance.constraints.defaultExpiry == 300)
        #expect(try decision(as: big) { $0.contentLength = 1 << 30 }.code == "allowed")
        #expect(try decision { $0.contentLength = 1 << 30 }.code == "unmet")
    }

    @Test(
        "The rule's expiry limits the requested one",
        arguments: [(nil, 300), (1, 1), (3600, 3600)] as [(Int64?, Int64)])
    func expiry(requested: Int64?, expected: Int64) throws {
        guard case .allowed(let allowance) = try decision(.get, { $0.expiresIn = requested }) else {
            Issue.record("not allowed")
            return
        }
        #expect(allowance.expiresIn == expected)
    }

    @Test(
        "A media range contains the types it names",
        arguments: [
            ("image/*", "image/png", true), ("image/*", "IMAGE/PNG", true), ("image/*", "image/svg+xml", true),
            ("image/*", "image/png; charset=x", true), ("image/*", " image/png ", true),
            ("image/*", "images/png", false),
            ("image/*", "image/", false), ("image/*", "image", false), ("image/*", "image/png/x", false),
            ("image/*", "image/png, text/html", false), ("image/*", "image/*\n", false), ("*/*", "a/b", true),
            ("*/*", "", false), ("text/html", "text/html;q=1", true), ("text/html", "text/htmlx", false),
            ("Text/HTML", "text/html", true), ("image/*", "text/html;image/png", false),
            ("text/html", "text/html;", true), ("text/html", "text/html ; ; a=b ;", true),
            ("text/html", "text/html;q", false), ("text/html", "text/html;q=", false),
            ("text/html", "text/html;=1", false), ("text/html", "text/html; a =b", false),
            ("text/html", "text/html;a=b c", false), ("text/html", #"text/html;a="b;c\"d""#, true),
            ("text/html", #"text/html;a="b"#, false), ("text/html", #"text/html;a="b\"#, false),
            ("text/html", "text/html;a=\"b\u{0}\"", false), ("text/html", "text/html;a=b\r\nx: y", false),
            ("image/*", "image/*", false), ("*/*", "*/*", false), ("*/*", "*/b", false),
        ])
    func types(range: String, type: String, contained: Bool) throws {
        #expect(try #require(MediaRange(range)).contains(type) == contained)
    }

    @Test(
        "Invalid media ranges are rejected",
        arguments: ["", "image", "image/", "/png", "*/png", "im*/x", "image/p*", "a/b/c", "a b/c", "a/b;q=1"])
    func noRange(_ text: String) {
        #expect(MediaRange(text) == nil)
    }
}
