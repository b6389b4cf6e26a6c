import Presigning
import Requests
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport
@testable import PresignService
@testable import PresignTools

@Suite("Explanations")
struct ExplanationTests {
    private static let yaml = """
        rules:
          - {path: "**", allow: {everyone: [get]}}
          - path: own/{claim.t}/{identity}/**
            allow:
              guest: [get]
              everyone: [list]
              authenticated: {actions: [write], types: [image/*], maxSize: 10}
              owner: {actions: [write], overwrite: false, maxSize: 20}
              "{identity}": [delete]
              "group:red": [delete]
              "caller:k": [delete]
        deny: [{path: "**/.*"}]
        """

    private static func token(_ identity: String, _ groups: [String] = [], t: String? = nil) -> Caller {
        Caller(
            scheme: .jwt, identity: identity, groups: groups, claims: t.map { [.init(name: "t", value: $0)] } ?? [])
    }

    private func lines(
        _ action: AccessAction, _ path: String, as caller: Caller, type: String? = nil, length: Int64? = nil,
        _ yaml: String = yaml
    ) throws -> [String] {
        let file = try PolicyFile(parsing: Array(yaml.utf8), file: "p")
        var request = PolicyFixture.request(path, action, as: caller)
        (request.contentType, request.contentLength) = (type, length)
        return file.policy.explanation(for: request).lines(file.verdict(on: request))
    }

    @Test("Each grant has the reason why it does not apply")
    func grants() throws {
        #expect(
            try lines(.delete, "own/acme/eve/f", as: Self.token("bob", ["a", "b"], t: "acme")) == [
                "refused (403): no-grant", "  rule    own/{claim.t}/{identity}/** (p:3:11)",
                "    no   guest (p:5:7): get; does not grant delete",
                "    no   everyone (p:6:7): list; does not grant delete",
                "    no   authenticated (p:7:7): write; does not grant delete",
                "    no   owner (p:8:7): write; does not grant delete",
                "    no   {identity} (p:9:7): delete; {identity} is `eve` here, the caller's is `bob`",
                "    no   group:red (p:10:7): delete; the caller is not in the group `red`",
                "    no   caller:k (p:11:7): delete; the caller is not the API key `k`",
                "  less    ** (p:2:12) also matches, but is less specific",
            ])
    }

    @Test("A store that signs for Apache Iceberg is explained: for how long, and what the client must announce")
    func iceberg() throws {
        let yaml = """
            version: 1
            stores: {lake: {bucket: acme-lake, region: us-east-1, iceberg: true}}
            auth: {apiKeys: [{id: k, hashes: ["sha256:0000000000000000000000000000000000000000000000000000000000000000"]}]}
            rules:
              - {path: wh/**, allow: {caller:k: [read, write]}}
              - {path: once/**, allow: {caller:k: [write]}, write: {overwrite: false}, expires: {max: 20s}}
            """
        let file = try PolicyFile(parsing: Array(yaml.utf8), file: "p")
        func line(_ action: AccessAction, _ path: String, _ caller: Caller) -> String? {
            file.remoteLine(for: PolicyFixture.request(path, action, as: caller))
        }
        let caller = try file.caller(ofKey: "k")
        #expect(line(.get, "wh/a", caller) == "  Iceberg signs it for 60 s")
        #expect(line(.write, "once/a", caller) == "  Iceberg signs it for 20 s, if the client announces if-none-match")
        #expect(line(.get, "once/a", caller) == nil && line(.get, "wh/a", .guest) == nil)
    }

    @Test("A listing is explained by the key that decides it")
    func listing() throws {
        let yaml = """
            rules:
              - {path: "**", allow: {everyone: [list]}}
              - {path: "users/{identity}/*", allow: {owner: [list], "group:red": [list]}}
            deny:
              - {path: "a/*/b", actions: [list]}
              - {path: "a/c"}
            """
        #expect(
            try lines(.list, "users/", as: Self.token("bob"), yaml) == [
                "refused (403): no-grant", "  key     users/*/* decides, where * is any segment",
                "  rule    users/{identity}/* (p:3:12)",
                "    no   owner (p:3:42): list; {identity} is `*` here, the caller's is `bob`",
                "    no   group:red (p:3:57): list; the caller is not in the group `red`",
                "  less    ** (p:2:12) also matches, but is less specific",
            ])
        #expect(
            try lines(.list, "a/", as: .guest, yaml) == [
                "refused (401): deny:a/*/b", "  deny    a/*/b (p:5:12)", "  deny    a/c (p:6:12)",
                "  key     a/* decides, where * is any segment",
                "  rule    ** (p:2:12), overridden by the denial", "    yes  everyone (p:2:26): list",
            ])
        #expect(try lines(.list, "users/bob/", as: Self.token("bob"), yaml)[0] == "allowed (200)")
        #expect(try lines(.list, "a//", as: Self.token("bob"), yaml)[0] == "refused (400): path")
        let off = "stores: {m: {bucket: b, region: r}}\n" + yaml
        #expect(
            try lines(.list, "b/", as: Self.token("bob"), off).prefix(2) == [
                "refused (400): listing-off",
                "  store   does not offer listing; set `listing: true` for it; otherwise the rules decide:",
            ])
        #expect(
            try lines(.list, "b/", as: Self.token("bob"), off.replacing("r}}", with: "r, listing: true}}"))[0]
                .hasPrefix(
                    "allowed"))
    }

    @Test("Each unmet limit is listed with the allowed values")
    func limits() throws {
        let lines = try lines(.write, "own/acme/bob/f", as: Self.token("bob", t: "acme"), type: "text/html", length: 30)
        #expect(lines[0] == "refused (422): contentLength")
        #expect(
            lines.contains {
                $0.hasSuffix(
                    "write; contentType: `text/html` is not allowed here; must be image/*; "
                        + "contentLength: 30 bytes is more than this rule allows (10 bytes)"
                )
            })
        let allowed = try self.lines(.write, "own/acme/bob/f", as: Self.token("bob", t: "acme"), length: 20)
        #expect(allowed[0] == "allowed (200)" && allowed.contains { $0.contains("yes  owner") })
        #expect(allowed.suffix(2) == ["  URL     expires after 18000 s", "  URL     signs if-none-match: *"])
    }

    @Test(
        "The reason why a grant does not apply",
        arguments: [
            (Caller.guest, AccessAction.write, "the caller is a guest"),
            (token("bob"), .get, "the caller is signed in"),
            (token("bob"), .write, "{claim.t} is `acme` here, the caller has none"),
            (token("x", t: "acme"), .write, "{identity} is `bob` here, the caller's is `x`"),
        ])
    func obstacles(who: Caller, action: AccessAction, text: String) throws {
        #expect(try lines(action, "own/acme/bob/f", as: who).contains { $0.hasSuffix(text) })
    }

    @Test func exclusiveGroups() throws {
        let lines = try lines(
            .write, "own/acme/bob/f", as: Self.token("bob", ["x"], t: "acme"), Self.yaml + "\ngroups: exclusive")
        #expect(lines.count { $0.hasSuffix("the caller is in a group (`groups: exclusive`)") } == 2)
    }

    @Test func denialsAndPaths() throws {
        let denied = try lines(.get, "a/.b", as: Self.token("a"))
        #expect(denied.prefix(2) == ["refused (403): deny:**/.*", "  deny    **/.* (p:12:15)"])
        #expect(denied[2] == "  rule    ** (p:2:12), overridden by the denial")
        #expect(try lines(.get, "a//b", as: .guest)[1].contains("two slashes in a row"))
        #expect(
            try lines(.get, "x", as: .guest, "rules: []") == [
                "refused (401): no-rule", "  rule    no rule of this store matches",
            ])
    }

    @Test("Control characters are replaced by their code points")
    func controls() throws {
        let lines = try lines(.delete, "own/acme/eve/f", as: Self.token("\u{1B}[2J\n\u{9B}\u{202E}x", t: "acme"))
        #expect(lines.joined().unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value) })
        #expect(lines.contains { $0.hasSuffix("`U+1B[2JU+AU+9BU+202Ex`") })
    }
}
