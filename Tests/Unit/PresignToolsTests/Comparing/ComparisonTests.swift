import DataFormats
import TestSupport
import Testing

@testable import PresignTools

@Suite("Comparing two files of access rules")
struct ComparisonTests {
    /// A change of a file, and the first line of each finding.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let old: String
        let new: String
        var wider: [String] = []
        var narrower: [String] = []
    }

    private static func rule(_ more: String, path: String = "u/{identity}/**", allow: String = "{owner: [write]}")
        -> String
    {
        "rules: [{path: \"\(path)\", allow: \(allow)\(more.isEmpty ? "" : ", \(more)")}]"
    }

    private static func grant(_ allow: String, _ more: String = "", path: String = "d/**") -> String {
        rule(more, path: path, allow: allow)
    }

    private static func whole(_ auth: String, _ store: String = "", _ more: String = "") -> String {
        """
        version: 1
        stores: {media: {bucket: media-uploads-prod, region: eu-west-1\(store)}}
        auth: \(auth)
        \(more)
        rules: [{path: "d/**", allow: {everyone: [get]}, share: {get: 1h}}]
        """
    }

    private static func owned(_ more: String) -> String {
        """
        version: 1
        stores: {media: {bucket: media-uploads-prod, region: eu-west-1}}
        auth: {apiKeys: [{id: k, \(key), \(more)}]}
        rules:
          - {path: "u/{identity}/**", allow: {owner: [get]}}
          - {path: "g/{group}", allow: {owner: [get]}}
        """
    }

    private static func listed(_ wide: String, _ deep: String) -> String {
        "rules: [{path: \"d/**\", allow: {\(wide)}}, {path: d/e, allow: {\(deep)}}]"
    }

    private static func listedFor(_ one: String, _ other: String) -> String {
        grant(
            "{group:g: {actions: [list], expires: {max: \(one)}}, group:h: {actions: [list], expires: {max: \(other)}}}"
        )
    }

    /// Two rules with `**`, which decide beside one for `a/*/*/g`, if there is one.
    private static func beside(_ one: String, _ other: String, _ third: String? = nil) -> String {
        "rules: [{path: \(one)}, {path: \(other)}\(third.map { ", {path: a/*/*/g, allow: {\($0)}}" } ?? "")]"
    }

    private static let twice = "{path: \"{claim.t}/{claim.t}\", allow: {owner: [get]}}"

    private static let key = "hashes: [\"sha256:\(String(repeating: "ab", count: 32))\"]"

    private static let cases = [
        Case(
            testDescription: "a larger size", old: rule("write: {maxSize: 25m}"), new: rule("write: {maxSize: 100m}"),
            wider: ["PUT u/a/b as sub=a, 26214401 bytes"]),
        Case(
            testDescription: "another type, with the same size", old: rule("write: {types: [image/*]}"),
            new: rule("write: {types: [image/*, text/plain]}"), wider: ["PUT u/a/b as sub=a, of text/plain"]),
        Case(
            testDescription: "the union of grants is not contained in either",
            old: grant(
                "{everyone: {actions: [write], types: [image/*], maxSize: 10m}, guest: {actions: [write], maxSize: 1m}}"
            ),
            new: grant("{everyone: {actions: [write], maxSize: 10m}}"),
            wider: ["PUT d/a as guest, 1048577 bytes"],
            narrower: []),
        Case(
            testDescription: "a new rule closes a path", old: grant("{everyone: [get]}"),
            new: "rules: [{path: \"d/**\", allow: {everyone: [get]}}, {path: d/x, allow: {group:g: [get]}}]",
            narrower: ["GET d/x as guest"]),
        Case(
            testDescription: "a denial", old: grant("{everyone: [get]}"),
            new: grant("{everyone: [get]}") + "\ndeny: [{path: \"**/*.x\"}]", narrower: ["GET d/.x as guest"]),
        Case(
            testDescription: "two denials", old: grant("{everyone: [get]}") + "\ndeny: [{path: \"**/*.x\"}]",
            new: grant("{everyone: [get]}") + "\ndeny: [{path: \"**/*.y\"}]", wider: ["GET d/.x as guest"],
            narrower: ["GET d/.y as guest"]),
        Case(
            testDescription: "a placeholder instead of a wildcard", old: grant("{authenticated: [get]}", path: "d/*"),
            new: grant("{\"{identity}\": [get]}", path: "d/{identity}"), narrower: ["GET d/a as sub=z"]),
        Case(
            testDescription: "a caller in a group loses grants",
            old: "groups: exclusive\n" + grant("{authenticated: [get]}"),
            new: grant("{authenticated: [get]}"), wider: ["GET d/a as sub=z group=z"]),
        Case(
            testDescription: "existing objects", old: rule("write: {overwrite: false}"), new: rule(""),
            wider: ["PUT u/a/b as sub=a"]),
        Case(
            testDescription: "a setting that the rule makes", old: rule("write: {set: {acl: private}}"),
            new: rule("write: {set: {acl: private}, accept: [acl]}")),
        Case(
            testDescription: "a setting that the caller chooses", old: rule(""), new: rule("write: {accept: [acl]}"),
            wider: ["PUT u/a/b as sub=a, x-amz-acl: public-read"]),
        Case(
            testDescription: "a checksum", old: rule("write: {checksum: sha256}"), new: rule(""),
            wider: ["PUT u/a/b as sub=a"]),
        Case(
            testDescription: "a version", old: grant("{everyone: [get]}"),
            new: grant("{everyone: [get]}", "read: {versions: true}"), wider: ["GET d/a as guest, version 1"]),
        Case(
            testDescription: "response headers", old: grant("{everyone: [get]}"),
            new: grant("{everyone: [get]}", "read: {overrides: any}"),
            wider: ["GET d/a as guest, responseContentType=text/html"]),
        Case(
            testDescription: "a lifetime", old: grant("{everyone: [delete]}", "expires: {max: 1h}"),
            new: grant("{everyone: [delete]}", "expires: {max: 2h}"), wider: ["DELETE d/a as guest, for 3601 s"]),
        Case(
            testDescription: "the lifetime of the service", old: "expires: {max: 1h}\n" + grant("{everyone: [delete]}"),
            new: grant("{everyone: [delete]}"), wider: ["DELETE d/a as guest, for 3601 s"]),
        Case(
            testDescription: "a window", old: grant("{everyone: [get]}", "expires: {max: 1h}"),
            new: grant("{everyone: [get]}", "expires: {max: 1h, window: 10m}"),
            wider: ["GET d/a as guest, for 3001 s"]),
        Case(
            testDescription: "the default lifetime is not a limit",
            old: grant("{everyone: [get]}", "expires: {default: 1h}"),
            new: grant("{everyone: [get]}", "expires: {default: 2h}")),
        Case(
            testDescription: "parts",
            old: grant("{everyone: [multipart]}", "write: {maxSize: 12m}, multipart: {partSize: 5m}"),
            new: grant("{everyone: [multipart]}", "write: {maxSize: 12m}, multipart: {partSize: 6m}"),
            wider: ["POST d/a as guest, multipart step part, part 1, 5242881 bytes"],
            narrower: ["POST d/a as guest, multipart step part, part 3, 1 bytes"]),
        Case(
            testDescription: "share links", old: grant("{authenticated: [get]}"),
            new: grant("{authenticated: [get]}", "share: {get: 1h}"),
            wider: ["GET d/a as sub=z, with a share link after 1 s"]),
        Case(
            testDescription: "guests", old: whole("{apiKeys: [{id: k, \(key)}]}"),
            new: whole("{guest: true, apiKeys: [{id: k, \(key)}]}"), wider: ["GET d/a as guest"]),
        Case(
            testDescription: "an API key", old: whole("{apiKeys: [{id: k, \(key)}]}"),
            new: whole("{apiKeys: [{id: k, \(key)}, {id: other, \(key)}]}"),
            wider: ["GET d/a as caller:other"]),
        Case(
            testDescription: "the identity of an API key", old: owned("identity: one"), new: owned("identity: two"),
            wider: ["GET u/two/a as caller:k"], narrower: ["GET u/one/a as caller:k"]),
        Case(
            testDescription: "the groups of an API key", old: owned("groups: [one]"), new: owned("groups: [one, two]"),
            wider: ["GET g/two as caller:k"]),
        Case(
            testDescription: "share keys", old: whole("{apiKeys: [{id: k, \(key)}]}"),
            new: whole("{apiKeys: [{id: k, \(key)}]}", "", "shares: {keys: [{id: s, file: s.key}]}"),
            wider: ["GET d/a as sub=z, with a share link after 1 s"]),
        Case(
            testDescription: "listings of all grants that decide below the prefix",
            old: listed("group:h: [list]", "group:g: [get]"), new: listed("group:h: [list]", "group:g: [list]"),
            wider: ["LIST d/ as group=g group=h", "LIST d/e as group=g"], narrower: ["GET d/e as group=g"]),
        Case(
            testDescription: "another placeholder", old: grant("{owner: [get]}", path: "d/{identity}"),
            new: grant("{owner: [get]}", path: "d/{claim.t}"), wider: ["GET d/a as claim.t=a"],
            narrower: ["GET d/a as sub=a"]),
        Case(
            testDescription: "claims", old: grant("{\"{claim.t}\": [get]}", path: "d/{claim.t}"),
            new: grant("{everyone: [get]}", path: "d/{claim.t}"), wider: ["GET d/a as guest"]),
        Case(
            testDescription: "a claim and an identity",
            old: grant("{\"{identity}\": [get]}", path: "d/{claim.t}/{identity}"),
            new: grant("{\"{claim.t}\": [get]}", path: "d/{claim.t}/{identity}"),
            wider: ["GET d/a/b as claim.t=a"], narrower: ["GET d/a/b as sub=b"]),
        Case(
            testDescription: "a denial of everything below", old: grant("{everyone: [get]}", path: "**"),
            new: grant("{everyone: [get]}", path: "**") + "\ndeny: [{path: \"d/**\"}]", narrower: ["GET d/a as guest"]),
        Case(
            testDescription: "a rule with `**` that only decides below another folder",
            old: beside("\"*/b/**\", allow: {everyone: [get]}", "\"*/d/**\", allow: {everyone: [get, write]}"),
            new: beside(
                "\"*/b/**\", allow: {everyone: [get]}", "\"*/d/**\", allow: {everyone: [get, write]}", "everyone: [get]"
            ),
            wider: ["GET a/c/e/g as guest"], narrower: ["PUT a/d/c/g as guest"]),
        Case(
            testDescription: "rules with `**` and the same grants, which capture different values",
            old: beside("\"{identity}/b/**\", allow: {owner: [get]}", "\"{claim.t}/d/**\", allow: {owner: [get]}"),
            new: beside(
                "\"{identity}/b/**\", allow: {owner: [get]}", "\"{claim.t}/d/**\", allow: {owner: [get]}",
                "group:g: [get]"),
            wider: ["GET a/c/e/g as group=g", "GET a/b/c/g as group=g", "GET a/d/c/g as group=g"],
            narrower: ["GET a/b/c/g as sub=a", "GET a/d/c/g as claim.t=a"]),
        Case(
            testDescription: "a segment that is captured twice, and decides only the second time",
            old: "rules: [{path: \"{group}/c\", allow: {authenticated: [list]}}, \(twice)]", new: "rules: [\(twice)]",
            wider: ["GET c/c as claim.t=c"], narrower: ["LIST a/c as sub=z"]),
        Case(
            testDescription: "one finding for the grant that decides, not for each that permits the same",
            old: grant("{everyone: [delete]}", path: "d/{identity}"),
            new: grant("{everyone: [delete, get], owner: [get], group:g: [get]}", path: "d/{identity}"),
            wider: ["GET d/a as guest"]),
        Case(
            testDescription: "lifetimes of listings, in both directions", old: listedFor("1h", "2h"),
            new: listedFor("2h", "1h"),
            wider: ["LIST d/ as group=g, for 3601 s", "LIST d/a as group=g, for 3601 s"],
            narrower: ["LIST d/ as group=h, for 3601 s", "LIST d/a as group=h, for 3601 s"]),
        Case(
            testDescription: "links", old: whole("{guest: true}"), new: whole("{guest: true}", ", links: true"),
            wider: ["GET d/a as guest, with a link of /o/"]),
    ]

    private static func first(_ differences: [RuleDifference]) -> [String] {
        differences.map { ($0.smallest().lines(["old", "new"]).first ?? "").trimmingPrefix("  ").description }
    }

    private static func compare(_ old: String, _ new: String) throws -> PolicyComparison {
        let files = try [old, new].map { try PolicyFile(parsing: Array($0.utf8), file: "p.yaml") }
        return try PolicyComparison(files[0], files[1], names: ["old.yaml", "new.yaml"]) { false }
    }

    @Test("Each change has its smallest request", arguments: cases)
    func change(_ item: Case) throws {
        let comparison = try Self.compare(item.old, item.new)
        #expect(Self.first(comparison.wider) == item.wider)
        #expect(Self.first(comparison.narrower) == item.narrower)
    }

    @Test("A finding names the rules of both files, with the limits in which they differ")
    func lines() throws {
        let comparison = try Self.compare(
            "rules:\n  - path: u/**\n    allow: {authenticated: [write]}\n    write: {maxSize: 25m, types: [image/*]}\n",
            "rules:\n  - path: u/**\n    allow: {authenticated: [write]}\n    write: {maxSize: 100m, types: [image/*]}\n"
                + "  - {path: public/**, allow: {everyone: [get]}}\n")
        #expect(
            comparison.lines(atMost: 20, json: false) == [
                "new.yaml allows what old.yaml refuses:", "  PUT u/a as sub=z, 26214401 bytes of image/png",
                "    p.yaml:2:11  u/**  authenticated: write, maxSize 25m",
                "    p.yaml:2:11  u/**  authenticated: write, maxSize 100m", "  GET public/a as guest",
                "    old.yaml     no rule matches", "    p.yaml:5:12  public/**  everyone: get",
                "old.yaml allows what new.yaml refuses:", "  (nothing)",
            ])
        #expect(comparison.lines(atMost: 1, json: false).contains("  and 1 more"))
    }

    @Test("What two files cannot have in common is named")
    func notCompared() throws {
        let old = Self.whole("{apiKeys: [{id: k, \(Self.key)}]}")
        let lines = try Self.compare(old, old.replacing("media-uploads-prod", with: "media-uploads-test"))
            .lines(atMost: 20, json: false)
        #expect(lines.last == "not compared: `stores.media.bucket` differs")
        #expect(try Self.compare(old, old).lines(atMost: 20, json: false).count == 4)
    }

    @Test("Too many combinations are an error that names a path")
    func tooMany() throws {
        let rules = { (name: String) in
            "rules:\n"
                + (0..<144).map { index in
                    let path = (0..<12).map { $0 == index % 12 ? "\(name)\(index)" : "*" }.joined(separator: "/")
                    return "  - {path: \"\(path)\", allow: {everyone: [get]}}\n"
                }.joined()
        }
        let files = try ["l", "m"].map { try PolicyFile(parsing: Array(rules($0).utf8), file: "p.yaml") }
        var asked = 0
        let error = #expect(throws: TooManyCombinations.self) {
            _ = try PolicyComparison(files[0], files[1], names: ["old", "new"]) {
                asked += 1
                return asked > 20
            }
        }
        #expect(error?.description.hasPrefix("too many combinations at ") == true)
    }

    @Test(
        "Each file of config/ equals itself, and one more grant makes it wider",
        arguments: ["quickstart", "web-app", "saas", "ingest", "presign"])
    func configurations(name: String) throws {
        let text = try Repository.text(of: "config/\(name).yaml")
        let same = try Self.compare(text, text)
        #expect(same.wider.isEmpty && same.narrower.isEmpty)
        let more = "\nrules:\n  - path: more/**\n    allow: {authenticated: [get]}\n"
        let wider = try Self.compare(text, text.replacing("\nrules:\n", with: more))
        #expect(wider.wider.count == 1 && wider.narrower.isEmpty, "\(wider.lines(atMost: 20, json: false))")
    }
}
