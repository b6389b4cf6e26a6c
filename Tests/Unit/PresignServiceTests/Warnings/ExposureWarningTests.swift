import Testing

@testable import DataFormats
@testable import PresignService

@Suite("Warnings about upload ids, open writes and missing rate limits")
struct ExposureWarningTests {
    private static func warnings(_ lines: String...) throws -> [ConfigurationError] {
        let yaml = (["version: 1"] + lines).joined(separator: "\n")
        return try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml").warnings
    }

    private static let store = #"bucket: b-1, region: eu-west-1, unsignedHeaders: refused"#
    private static let endpoint = #"endpoint: "https://s3.example""#
    private static let hash = "sha256:" + String(repeating: "a", count: 64)
    private static let callers = #"auth: {apiKeys: [{id: web, groups: [g], hashes: ["\#(hash)"]}]}"#

    /// A rule that grants `multipart`.
    private static func rule(_ path: String, _ limits: String = "", grant: String = "[get, multipart]") -> String {
        "{path: \(path), allow: {authenticated: \(grant)}\(limits.isEmpty ? "" : ", " + limits)}"
    }

    /// Settings of two stores, rules, and the limits that the warning names; nil without a warning.
    struct UploadIDCase: Sendable {
        var first = ""
        var second: String?
        let rules: [String]
        let limits: String?
        var section = ""
    }

    static let lax = rule("lax/**")

    static let cases = [
        UploadIDCase(rules: [lax], limits: nil),
        UploadIDCase(rules: [lax, rule("b/**")], limits: nil),
        UploadIDCase(rules: [lax, rule("b/**", "write: {types: [image/*]}")], limits: "`types`"),
        UploadIDCase(rules: [rule("b/**", "write: {types: [image/*]}"), lax], limits: "`types`"),
        UploadIDCase(
            rules: [rule("a/**", "write: {types: [image/*]}"), rule("b/**", "write: {types: [text/*]}")],
            limits: "`types`"),
        UploadIDCase(
            rules: [rule("a/**", "write: {types: [image/*]}"), rule("b/**", "write: {types: [image/*]}")], limits: nil),
        UploadIDCase(
            rules: [lax, rule("b/**", "write: {maxSize: 9m}, multipart: {partSize: 5m}")],
            limits: "`maxSize` and `partSize`"),
        UploadIDCase(
            rules: [
                rule("a/**", "write: {maxSize: 8m}, multipart: {partSize: 6m}"),
                rule("b/**", "write: {maxSize: 9m}, multipart: {partSize: 5m}"),
            ], limits: "`partSize`"),
        UploadIDCase(rules: [lax, rule("b/**", "write: {checksum: sha256}")], limits: "`checksum`"),
        UploadIDCase(rules: [lax, rule("b/**", "write: {overwrite: false}")], limits: "`overwrite`"),
        UploadIDCase(rules: [lax, rule("b/**", "write: {set: {cacheControl: no-store}}")], limits: "`set`"),
        UploadIDCase(rules: [lax, rule("b/**", "write: {accept: [tagging]}")], limits: "`accept`"),
        UploadIDCase(rules: [lax, rule("b/**", "expires: {max: 1m, default: 1m}")], limits: nil),
        UploadIDCase(rules: [lax, rule("b/**", "write: {types: [a/b]}", grant: "[get, write]")], limits: nil),
        UploadIDCase(
            rules: ["{path: a/**, allow: {authenticated: [multipart], group:g: {actions: [multipart], types: [a/b]}}}"],
            limits: "`types`"),
        UploadIDCase(
            first: ", uploadIds: unknown", rules: [lax, rule("b/**", "write: {types: [a/b]}")], limits: "`types`"),
        UploadIDCase(first: ", uploadIds: bound", rules: [lax, rule("b/**", "write: {types: [a/b]}")], limits: nil),
        UploadIDCase(
            rules: [lax, rule("b/**", "write: {types: [a/b]}")], limits: nil, section: "local: {directory: d}"),
        UploadIDCase(
            second: endpoint, rules: [lax, rule("b/**", "store: other, write: {types: [a/b]}")], limits: "`types`"),
        UploadIDCase(
            second: endpoint + ", uploadIds: bound", rules: [lax, rule("b/**", "store: other, write: {types: [a/b]}")],
            limits: nil),
        UploadIDCase(
            second: #"endpoint: "https://s3.other""#,
            rules: [lax, rule("b/**", "store: other, write: {types: [a/b]}")],
            limits: nil),
    ]

    @Test(
        "Grants of multipart with different limits at a server that may accept an upload id at another key",
        arguments: cases)
    func uploadIDs(test: UploadIDCase) throws {
        let second = test.second.map { ", other: {\(Self.store), \($0)}" } ?? ""
        func warnings(_ endpoint: String) throws -> [ConfigurationError] {
            try Self.warnings(
                "stores: {media: {default: true, \(Self.store)\(endpoint)\(test.first)}\(second)}", Self.callers,
                "rules: [\(test.rules.joined(separator: ", "))]", test.section
            ).filter { $0.message.contains("uploadIds") }
        }
        let found = try warnings(", " + Self.endpoint)
        #expect(found.count == (test.limits == nil ? 0 : 1))
        for warning in found { #expect(warning.message.contains(", past its \(test.limits ?? ""); set")) }
        #expect(try warnings("").isEmpty, "AWS binds upload ids")
    }

    @Test("The warning names the stores, both grants and the fix")
    func uploadIDMessage() throws {
        let found = try Self.warnings(
            "stores:", "  a: {\(Self.store), \(Self.endpoint), default: true}",
            "  b: {\(Self.store), \(Self.endpoint)}",
            Self.callers, "rules:",
            "  - \(Self.rule("strict/**", "store: b, write: {types: [a/b], checksum: sha256}"))",
            "  - \(Self.lax)")
        #expect(found.map(\.position.description) == ["c.yaml:3:75"])
        #expect(
            found.first?.message == """
                the server of `a` and `b`: if it accepts the id of a multipart upload at another key, an upload created by \
                the grant to `authenticated` in `lax/**` (c.yaml:8:28) can be completed by the grant to `authenticated` in \
                `strict/**` (c.yaml:7:31), past its `types` and `checksum`; set `uploadIds: bound` if the server refuses \
                that (`presign doctor` finds out), otherwise grant `multipart` only with the same limits
                """)
    }

    @Test(
        "Guests that may change every object",
        arguments: [
            ("guest: true", "{everyone: [get, write]}", "", "write"),
            ("guest: true", "{authenticated: [get], guest: [read, delete, multipart]}", "", "delete, multipart"),
            ("guest: false", "{everyone: [get, write]}", "", nil), ("guest: true", "{everyone: [read]}", "", nil),
            ("guest: true", "{authenticated: [get, write]}", "", nil),
            ("guest: true", "{everyone: [get, write]}", "{path: \"**\", actions: [write]}", nil),
            ("guest: true", "{everyone: [get, write]}", "{path: a/**, actions: [write]}", "write"),
            ("guest: true", "{everyone: [get, write, delete]}", "{path: \"**\", actions: [write]}", "delete"),
        ])
    func openWrites(auth: String, allow: String, denial: String, actions: String?) throws {
        let rules = ["{path: \"**\", allow: \(allow)}", "{path: inbox/**, allow: {everyone: [write]}}"]
        let found = try Self.warnings(
            "stores: {media: {\(Self.store)}}", "auth: {\(auth), apiKeys: [{id: web, hashes: [\"\(Self.hash)\"]}]}",
            "rules: [\(rules.joined(separator: ", "))]", denial.isEmpty ? "" : "deny: [\(denial)]", WarningTests.limits
        ).filter { $0.message.contains("includes guests") }
        #expect(found.count == (actions == nil ? 0 : 1))
        for warning in found {
            #expect(warning.line == 4)
            #expect(warning.message.contains("so any client is granted \(actions ?? "") for every object"))
        }
    }

    private static let issuer = "jwt: [{name: i, issuer: i, audience: a, algorithms: [RS256], jwks: f}]"

    @Test(
        "Guests, and callers that are not listed, without a rate limit",
        arguments: [
            ("guest: true", "", ["perGuest"]), ("guest: true", "limits: {perGuest: 1/s}", []),
            ("guest: true", "limits: {perGuest: none}", []), ("guest: true", "limits: {perCaller: 1/s}", ["perGuest"]),
            ("guest: false", "", []), (issuer, "", ["perCaller"]), (issuer, "limits: {perCaller: 1/s}", []),
            (issuer, "limits: {perCaller: none}", []), (issuer + ", guest: true", "", ["perGuest", "perCaller"]),
            ("proxy: {from: [unix], identity: x-u, secretHeader: x-s, secretFile: f}", "", ["perCaller"]),
            ("proxy: {from: [unix], clientAddress: x-c}", "", []),
        ])
    func rateLimits(auth: String, limits: String, keys: [String]) throws {
        let found = try Self.warnings(
            "stores: {media: {\(Self.store)}}", "auth: {\(auth), apiKeys: [{id: web, hashes: [\"\(Self.hash)\"]}]}",
            "rules: [{path: a, allow: {authenticated: [get]}}]", limits)
        #expect(found.map(\.message).map { $0.contains("without a rate limit") } == keys.map { _ in true })
        for (warning, key) in zip(found, keys) {
            #expect(
                warning.position.description == "c.yaml:3:7" && warning.message.contains("set `limits.\(key)`, such as")
            )
        }
    }
}
