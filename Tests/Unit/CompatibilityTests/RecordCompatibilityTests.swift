import CallerAuthentication
import DataFormats
import Foundation
import HTTPServerTestSupport
import ObjectExistence
import SocketTestSupport
import TestSupport
import Testing

@testable import PresignServiceTestSupport
@testable import Presigning

@Suite("Lines of log and audit of an earlier version")
struct RecordCompatibilityTests {
    private static let file = KeptFile("records.jsonl")

    /// A request of each kind, which writes one line of each.
    private static let requests: [(kind: String, request: String)] = [
        ("download", presignRequest(#"{"path":"docs/a"}"#, trace)),
        (
            "upload",
            presignRequest(
                #"{"path":"docs/a","method":"PUT","contentType":"image/png","contentLength":9,"expiresIn":60}"#,
                ["User-Agent: curl/8", "X-Request-Id: r-1"])
        ),
        ("form", presignRequest(#"{"path":"inbox/a","method":"POST","form":true,"contentType":"image/png"}"#)),
        (
            "token",
            presignRequest(
                #"{"path":"docs/a"}"#, key: nil,
                ["Authorization: Bearer \(TokenFixture.token(["jti": "\"t1\"", "groups": "[\"editors\"]"]))"])
        ),
        (
            "proxy",
            presignRequest(
                #"{"path":"docs/a"}"#, key: nil,
                ["X-Proxy-Secret: \(proxySecret)", "X-Auth-User: dave", "X-Forwarded-For: 192.0.2.7"])
        ),
        ("batch", batchRequest([#"{"path":"docs/a"}"#])),
        ("link", "GET /o/docs/a HTTP/1.1\r\nHost: presign.test\r\nX-API-Key: \(SampleConfiguration.Key.web)\r\n\r\n"),
        (
            "stored",
            "HEAD /o/docs/a HTTP/1.1\r\nHost: presign.test\r\nX-API-Key: \(SampleConfiguration.Key.web)\r\n\r\n"
        ),
        ("share", presignRequest(#"{"path":"docs/a","share":true}"#)),
        (
            "forbidden",
            presignRequest(
                #"{"path":"no/a"}"#, key: nil,
                ["Authorization: Bearer \(TokenFixture.token(["groups": "[\"editors\",1.5]"]))"])
        ),
        ("constraint", presignRequest(#"{"path":"inbox/a","method":"PUT","contentLength":2000}"#)),
        ("credentials", presignRequest(#"{"path":"docs/a"}"#, key: SampleConfiguration.Key.off)),
        ("input", presignRequest("{")),
        ("rate limit", presignRequest(#"{"path":"docs/a"}"#, key: nil)),
    ]

    private static let trace = ["traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"]
    private static let proxySecret = "0123456789abcdef0123456789abcdef"

    private static var yaml: String {
        let issuers = TokenFixture.yaml.split(separator: "\n").map {
            "    " + $0.replacing("}", with: ", claims: {groups: groups}}")
        }
        return """
            version: 1
            stores: {media: {bucket: acme-media, region: eu-west-1, links: true, validateObjectExistence: true}}
            auth:
              guest: true
              apiKeys:
                - id: web
                  identity: alice
                  groups: [editors]
                  hashes: ["\(APIKey.storedHash(of: SampleConfiguration.Key.web.utf8))"]
                - {id: "off", disabled: true, hashes: ["\(APIKey.storedHash(of: SampleConfiguration.Key.off.utf8))"]}
              jwt:
            \(issuers.joined(separator: "\n"))
              proxy:
                from: [127.0.0.1/32]
                secretHeader: X-Proxy-Secret
                secretFile: proxy-secret
                identity: X-Auth-User
                clientAddress: X-Forwarded-For
            limits: {perGuest: {rate: 1/h, burst: 1}}
            shares: {keys: [{id: k1, file: share.key}]}
            audit: {to: stdout}
            rules:
              - path: docs/**
                allow: {group:editors: [get, write], authenticated: [get, write]}
                share: {get: 1d}
              - {path: inbox/**, allow: {authenticated: [write]}, write: {maxSize: 1k}}
            """
    }

    /// The lines that this version writes.
    private static func lines() throws -> [String] {
        let files = TokenFixture.files.merging([
            "proxy-secret": proxySecret, "share.key": try KeptFile("share.key").text,
        ]) { $1 }
        var environment = SampleConfiguration.environment
        environment["AWS_SESSION_TOKEN"] = "session"
        environment["AWS_CREDENTIAL_EXPIRATION"] = TestClock.startTime.advanced(bySeconds: 3600).rfc3339Text
        // Each request before "stored" that checks existence, then its own check.
        let outcomes = Array(repeating: ExistenceOutcome.status(200), count: 5) + [.status(200, length: 3)]
        let service = try TestService(yaml, environment: environment, storage: outcomes, files: files)
        for (kind, request) in requests {
            if kind == "rate limit" { _ = try service.exchange(request) }
            _ = try service.exchange(request, omitsBody: kind == "stored")
        }
        return service.logLines().map { #"{"log":\#($0)}"# } + service.auditLines().map { #"{"audit":\#($0)}"# }
    }

    @Test(
        "Lines have all members of the earlier ones, with their types, and the same event and outcome",
        .disabled(if: KeptFile.isRefreshing))
    func members() throws {
        let (kept, current) = (try Self.file.lines, try Self.lines())
        #expect(kept.count == current.count && kept.count > 2 * Self.requests.count)
        for (old, new) in zip(kept, current) {
            let (old, new) = (try JSONValue(parsing: Array(old.utf8)), try JSONValue(parsing: Array(new.utf8)))
            #expect(Self.missing(from: new, in: old) == [], "\(new)")
        }
        let text = try Self.file.text
        let events = [
            "presign", "share", "stored", "authz_fail", "authn_fail", "rate_limited", "input_validation_fail",
        ]
        for event in events { #expect(text.contains(#""event":"\#(event)""#), "no line of \(event) is kept") }
    }

    /// The members of `old` that `new` lacks, or has with another type.
    private static func missing(from new: JSONValue, in old: JSONValue, _ path: String = "") -> [String] {
        switch (old, new) {
        case (.object(let old), .object(let new)):
            return old.flatMap { member in
                let path = "\(path).\(String(decoding: member.name, as: UTF8.self))"
                guard let other = new.first(where: { $0.name == member.name }) else { return [path] }
                let isConstant = [".audit.event", ".audit.outcome", ".audit.status", ".log.status"].contains(path)
                if isConstant, other.value != member.value { return [path] }
                return missing(from: other.value, in: member.value, path)
            }
        case (.array(let old), .array(let new)):
            guard let first = old.first, let other = new.first else { return [] }
            return missing(from: other, in: first, "\(path)[]")
        case (.string, .string), (.number, .number), (.boolean, .boolean), (.null, .null): return []
        default: return [path]
        }
    }

    @Test("A missing member, another type and another event are found")
    func comparison() throws {
        let old = try JSONValue(parsing: Array(#"{"audit":{"event":"presign","key":"a","groups":["a"]}}"#.utf8))
        for (text, expected) in [
            (#"{"audit":{"event":"presign","key":"b","groups":["c"],"more":1}}"#, []),
            (#"{"audit":{"event":"presign","key":1,"groups":["a"]}}"#, [".audit.key"]),
            (#"{"audit":{"event":"signed","key":"a","groups":[1]}}"#, [".audit.event", ".audit.groups[]"]),
            (#"{"audit":{"event":"presign","key":"a"}}"#, [".audit.groups"]), (#"{"log":{}}"#, [".audit"]),
        ] as [(String, [String])] {
            #expect(Self.missing(from: try JSONValue(parsing: Array(text.utf8)), in: old) == expected)
        }
    }

    @Test("Lines are kept", .enabled(if: KeptFile.isRefreshing))
    func keep() throws { try Self.file.write(try Self.lines().joined(separator: "\n") + "\n") }
}
