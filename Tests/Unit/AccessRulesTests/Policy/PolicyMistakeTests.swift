import Requests
import TestSupport
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport
@testable import DataFormats

@Suite("Mistakes in rules")
struct PolicyMistakeTests {
    @Test(
        "Each mistake is reported with its line and column",
        arguments: [
            ("rules:\n  - path: a/b/\n    allow: {everyone: [get]}", "2:11", "ends with a slash"),
            ("rules:\n  - path: /a\n    allow: {everyone: [get]}", "2:11", "begins with a slash"),
            ("rules:\n  - path: a/**/b\n    allow: {everyone: [get]}", "2:11", "last segment"),
            ("rules:\n  - path: a/*.png\n    allow: {everyone: [get]}", "2:11", "whole segment"),
            ("rules:\n  - path: a/{user}\n    allow: {everyone: [get]}", "2:11", "{claim.NAME}"),
            ("rules:\n  - path: a/{claim.}\n    allow: {everyone: [get]}", "2:11", "{claim.NAME}"),
            ("rules:\n  - path: a/x{identity}\n    allow: {everyone: [get]}", "2:11", "whole segment"),
            ("rules:\n  - path: a/../b\n    allow: {everyone: [get]}", "2:11", "can never match"),
            ("rules:\n  - path: a/*\n    allow: {owner: [get]}", "3:13", "needs a placeholder"),
            ("rules:\n  - path: a/*\n    allow: {\"{group}\": [get]}", "3:13", "no placeholder {group}"),
            ("rules:\n  - path: a/*\n    allow: {everybody: [get]}", "3:13", "unknown grantee"),
            ("rules:\n  - path: a/*\n    allow: {\"group:\": [get]}", "3:13", "unknown grantee"),
            ("rules:\n  - path: a/*\n    allow: {everyone: [get, put]}", "3:29", "unknown action `put`"),
            ("rules:\n  - path: a/*\n    allow: {everyone: []}", "3:13", "at least one action"),
            ("rules:\n  - path: a/*\n    allow: {everyone: get}", "3:23", "list of actions"),
            ("rules:\n  - path: a/*\n    allow: {}", "2:11", "grants nothing"),
            ("rules:\n  - path: a/*", "2:5", "needs the key `allow`"),
            ("rules:\n  - allow: {everyone: [get]}", "2:5", "needs the key `path`"),
            ("rules:\n  - path: a/*\n    alow: {}\n    allow: {everyone: [get]}", "3:5", "unknown key"),
            (
                "rules:\n  - path: a/*\n    store: nowhere\n    allow: {everyone: [get]}", "3:12",
                "unknown store `nowhere`"
            ),
            ("rules:\n  - {path: a/*, allow: {everyone: [get], everyone: [list]}}", "2:42", "duplicate key"),
            ("rules:\n  - {path: a/*, allow: {everyone: {maxSize: 1k}}}", "2:35", "needs the key `actions`"),
            ("rules:\n  - {path: a/*, allow: {everyone: [get]}, write: {maxSize: 1x}}", "2:60", "must be a size"),
            ("rules:\n  - {path: a/*, allow: {everyone: [get]}, write: {types: [png]}}", "2:59", "content type"),
            ("rules:\n  - {path: a/*, allow: {everyone: [get]}, write: {checksum: md5}}", "2:61", "must be sha256"),
            ("rules:\n  - {path: a/*, allow: {everyone: [get]}, write: {checksum: crc32}}", "2:61", "must be sha256"),
            ("rules:\n  - {path: a/*, allow: {everyone: [get]}, expires: {max: 8d}}", "2:58", "604800"),
            (
                "rules:\n  - {path: a/*, allow: {everyone: [get]}, expires: {default: 2m, max: 1m}}", "2:62",
                "longer than"
            ),
            ("rules: {path: a}", "1:8", "must be a list"),
            (
                "rules:\n  - {path: a/*, allow: {everyone: [multipart]}, multipart: {partSize: 5242879}}", "2:71",
                "5242880"
            ),
            (
                "rules:\n  - {path: a/*, allow: {everyone: [multipart]}, multipart: {partSize: 6g}}", "2:71",
                "5368709120"
            ),
            (
                "rules:\n  - {path: a/*, allow: {everyone: [multipart]}, multipart: {maxSize: 6g}}", "2:61",
                "unknown key"
            ),
            (
                "rules:\n  - {path: a/*, allow: {everyone: {actions: [multipart], partSize: 5m}}}", "2:58",
                "unknown key"
            ),
            (
                "rules:\n  - {path: a/*, allow: {everyone: [multipart]}, write: {maxSize: 50001m}, "
                    + "multipart: {partSize: 5m}}", "2:12",
                "`a/*` has `maxSize` 50001 MiB, but 10000 parts of `partSize` 5 MiB are smaller"
            ),
            (
                "rules:\n  - {path: a/*, allow: {everyone: {actions: [multipart], maxSize: 1024g}}, "
                    + "multipart: {partSize: 64m}}", "2:25", "`everyone` has `maxSize` 1 TiB"
            ),
            ("deny:\n  - path: a/{identity}", "2:11", "has a placeholder"),
            ("deny:\n  - path: a/x**", "2:11", "whole segment"),
            ("deny:\n  - {path: a, actions: [rm]}", "2:25", "unknown action"),
            ("rules:\n  - path: a/{sub}\n    allow: {owner: [get]}", "2:11", "did you mean `{identity}`?"),
            ("rules:\n  - path: a/{Group}\n    allow: {owner: [get]}", "2:11", "did you mean `{group}`?"),
            ("rules:\n  - path: a/{claims.t}\n    allow: {owner: [get]}", "2:11", "did you mean `{claim.t}`?"),
            ("rules:\n  - path: a/{tenant}\n    allow: {owner: [get]}", "2:11", "did you mean `{claim.tenant}`?"),
            ("rules:\n  - path: a/*\n    allow: {Everyone: [get]}", "3:13", "did you mean `everyone`?"),
            ("rules:\n  - path: a/*\n    allow: {anonymous: [get]}", "3:13", "did you mean `guest`?"),
            ("rules:\n  - path: a/*\n    allow: {\"groups:a\": [get]}", "3:13", "did you mean `group:a`?"),
            ("rules:\n  - path: a/*\n    allow: {\"key:a\": [get]}", "3:13", "did you mean `caller:a`?"),
            ("rules:\n  - path: a/*\n    allow: {\"{claim.x}\": [get]}", "3:13", "no placeholder {claim.x}"),
            ("rules:\n  - path: a/*\n    allow: {everyone: [upload]}", "3:24", "did you mean `write`?"),
            ("rules:\n  - {path: a/*, store: archives, allow: {guest: [get]}}", "2:24", "did you mean `archive`?"),
            (
                "rules:\n  - {path: a/*, allow: {everyone: [get]}, read: {overrides: all}}", "2:61",
                "any, attachment or none"
            ),
            ("rules:\n  - {path: a/*, allow: {everyone: [get]}, read: {override: any}}", "2:50", "unknown key"),
            ("presets: [aws]", "1:11", "unknown preset"), ("groups: some", "1:9", "additive or exclusive"),
        ])
    func position(yaml: String, position: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { _ = try PolicyFixture.compile(yaml) }
        #expect(error?.position.description == "p.yaml:\(position)")
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test(
        "Two rules of the same shape are rejected",
        arguments: [("a/*", "a/*"), ("a/{identity}", "a/{group}"), ("{claim.x}/**", "{identity}/**"), ("**", "**")])
    func sameShape(first: String, second: String) {
        let error = #expect(throws: ConfigurationError.self) {
            _ = try PolicyFixture.policy(templates: [first, second])
        }
        #expect(error?.line == 3 && error?.message.contains("p.yaml:2:12") == true)
    }

    @Test func reportsAllMistakesInFileOrder() {
        let yaml = """
            deny:
              - path: a/
            rules:
              - {path: b/*, allow: {nobody: [fly]}}
              - {path: c/*}
            """
        let error = #expect(throws: ConfigurationError.self) { _ = try PolicyFixture.compile(yaml) }
        #expect(
            error?.description.split(separator: "\n").map { $0.prefix(11) } == [
                "p.yaml:2:11", "p.yaml:4:25", "p.yaml:4:34", "p.yaml:5:5:",
            ])
    }

    @Test(
        "Warnings are reported with line and column",
        arguments: [
            (
                "rules:\n  - {path: a/*, allow: {guest: [get, write], authenticated: [get]}}", "2:25",
                "guests may do more"
            ),
            ("rules:\n  - {path: a/.x, allow: {everyone: [get]}}\ndeny:\n  - path: \"**/.*\"", "2:12", "never reached"),
            (
                "rules:\n  - {path: \"a/{identity}/*\", allow: {owner: [get]}}\n  - {path: a/b/c, allow: {everyone: [get]}}",
                "3:12", "beside a placeholder"
            ),
            (
                "rules:\n  - {path: \"a/{group}\", allow: {guest: [get], owner: [get]}}", "2:33", "guests may do more"
            ),
            (
                "groups: exclusive\nrules:\n  - {path: a/*, allow: {guest: [get], authenticated: [get]}}", "3:25",
                "in a group"
            ),
            (
                "rules:\n  - {path: a/*, allow: {everyone: {actions: [multipart], maxSize: 1k}}}", "2:25",
                "`everyone` can bypass `maxSize` with `multipart`"
            ),
            (
                "rules:\n  - {path: a/*, allow: {everyone: [get]}}\n  - {path: \"a/{group}\", allow: {everyone: [get]}}",
                "2:12", "never reached, because more specific rules decide all its keys: a/{group} (p.yaml:3:12)"
            ),
            (
                "rules:\n  - {path: a/**, allow: {everyone: [get]}}\n  - {path: a/*, allow: {everyone: [get]}}\n"
                    + "  - {path: a/*/**, allow: {everyone: [get]}}", "2:12",
                "a/* (p.yaml:3:12) and a/*/** (p.yaml:4:12)"
            ),
            (
                "rules:\n  - {path: a/*, allow: {everyone: [read]}}\ndeny:\n  - {path: \"**\", actions: [get]}\n"
                    + "  - {path: a/*, actions: [list]}", "2:12",
                "`deny` covers every action it grants: ** (p.yaml:4:12) and a/* (p.yaml:5:12)"
            ),
            (
                "rules:\n  - {path: a/*, allow: {everyone: [get, list]}}", "2:41",
                "`list` grants nothing, because the store `media` does not offer listing"
            ),
            (
                "rules:\n  - {path: a/*, allow: {everyone: [write, multipart]}}\n"
                    + "deny:\n  - {path: \"**/b\", actions: [write]}", "4:12",
                "denies `write` but not `multipart`, which a/* (p.yaml:2:12) grants; add `multipart`"
            ),
            (
                "rules:\n  - {path: a/*, allow: {everyone: {actions: [write, multipart], maxSize: 1k}}}", "2:25",
                "`everyone` can bypass `maxSize` with `multipart`"
            ),
            (
                "rules:\n  - {path: a/*, allow: {everyone: [write, multipart]}, write: {maxSize: 1k, checksum: sha256}}",
                "2:25", "can bypass `maxSize` with `multipart`"
            ),
            (
                "rules:\n  - {path: a/*, allow: {everyone: [write], authenticated: [multipart]}, write: {maxSize: 1k}}",
                "2:44", "`authenticated` can bypass `maxSize`"
            ),
            (
                "rules:\n  - {path: a/*, allow: {everyone: [write, multipart]}, write: {maxSize: 1k}}", "2:25",
                "set `multipart.partSize`, which limits the size, remove `multipart`"
            ),
        ])
    func warnings(yaml: String, position: String, message: String) throws {
        let warnings = try PolicyFixture.compile(yaml).warnings
        #expect(warnings.count == 1)
        #expect(warnings.first?.position.description == "p.yaml:\(position)")
        #expect(warnings.first?.message.contains(message) == true)
    }

    @Test(
        "Denials of `write` that leave no multipart upload open cause no warning",
        arguments: [
            "{path: \"**/b\", actions: [write, multipart]}", "{path: \"**/b\"}", "{path: c/b, actions: [write]}",
            "{path: a/b/c, actions: [write]}", "{path: a/only/x, actions: [write]}",
            "{path: a/b, actions: [write]}\n  - {path: a/*, actions: [multipart]}",
            "{path: a/b, store: archive, actions: [write]}", "{path: a/*/*, actions: [write]}",
        ])
    func closedDenials(denial: String) throws {
        let rules =
            "rules:\n  - {path: a/*, allow: {everyone: [write, multipart]}}\n"
            + "  - {path: a/only/**, allow: {everyone: [write]}}\n"
        #expect(try PolicyFixture.compile(rules + "deny:\n  - " + denial).warnings == [])
    }

    @Test(
        "Limits that no request reaches, and lifetimes that others cut, cause no warning",
        arguments: [
            "allow: {everyone: [get]}, write: {maxSize: 1k}", "allow: {everyone: {actions: [get], maxSize: 1k}}",
            "allow: {everyone: [write]}, multipart: {partSize: 5m}",
            "allow: {everyone: [write]}, read: {overrides: any}", "allow: {everyone: [write]}, share: {get: 1h}",
            "allow: {everyone: {actions: [get], expires: {default: 1h}}}, expires: {max: 5m}",
            "allow: {everyone: [write]}, expires: {window: 1h}",
            "allow: {guest: {actions: [get], overrides: any}, authenticated: [get]}",
        ])
    func harmlessLimits(rule: String) throws {
        #expect(try PolicyFixture.compile("rules: [{path: a/*, \(rule)}]").warnings == [])
    }

    @Test("With partSize, a grant of `multipart` bypasses no size, and the limits cause no warning")
    func boundedMultipart() throws {
        for actions in ["[write, multipart]", "{actions: [write, multipart], maxSize: 9m}", "[multipart]"] {
            let yaml =
                "rules:\n  - {path: a/*, allow: {everyone: \(actions)}, write: {maxSize: 50000m, checksum: sha256}, "
                + "multipart: {partSize: 5m}}"
            #expect(try PolicyFixture.compile(yaml).warnings == [])
        }
    }

    @Test("The policy of the rule cases has one grant whose size limit does not apply to multipart uploads")
    func policyOfTheCases() throws {
        let warnings = try ConfigurationNode.read(
            try Repository.bytes(of: "Tests/Cases/rules-policy.yaml"), file: "p.yaml"
        ) { root in
            let sections = try root.mapping(["rules", "deny"])
            return try AccessPolicy.compiled(
                sections, PolicyInputs(stores: [.init("media"), .init("archive")], defaultStore: "media")
            ).warnings
        }
        #expect(warnings.count == 1)
        let message = try #require(warnings.first?.message)
        #expect(message.contains("`authenticated` can bypass `maxSize` with"))
    }
}
