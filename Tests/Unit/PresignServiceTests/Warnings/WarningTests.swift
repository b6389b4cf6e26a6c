import Requests
import Testing

@testable import DataFormats
@testable import PresignService
@testable import StorageCredentials

@Suite("Configuration warnings")
struct WarningTests {
    private static func warnings(_ sections: String) throws -> [String] {
        let yaml = "version: 1\nstores: {media: {bucket: acme-media, region: eu-west-1}}\n\(sections)\n\(limits)"
        return try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml").warnings.map(\.description)
    }

    static let limits = "limits: {perCaller: 10/s, perGuest: 60/m}"
    private static let key = "hashes: [\"sha256:\(String(repeating: "a", count: 64))\"]"
    private static let issuer = "name: i, issuer: i, audience: a, algorithms: [RS256], jwks: f"

    @Test(
        "placeholders that no caller can fill",
        arguments: [
            ("auth: {guest: true}", "{identity}", "no caller has an identity"),
            ("auth: {apiKeys: [{id: k, \(key)}]}", "{identity}", nil),
            ("auth: {apiKeys: [{id: k, \(key)}]}", "{group}", "no API key, issuer or proxy sets groups"),
            ("auth: {apiKeys: [{id: k, groups: [g], \(key)}]}", "{group}", nil),
            ("auth: {jwt: [{\(issuer), claims: {tenant: t}}]}", "{claim.tenant}", nil),
            ("auth: {jwt: [{\(issuer), claims: {tenant: t}}]}", "{claim.tennant}", "did you mean `tenant`?"),
            ("auth: {jwt: [{\(issuer), claims: {groups: g}}]}", "{group}", nil),
            ("local: {directory: d}", "{identity}", nil),
            ("local: {directory: d}", "{claim.x}", "no issuer lists the claim `x` under `claims`"),
        ] as [(String, String, String?)])
    func placeholders(sections: String, placeholder: String, warning: String?) throws {
        let rules = "\nrules: [{path: \"a/\(placeholder)\", allow: {everyone: [get]}}]"
        let found = try Self.warnings(sections + rules)
        #expect(found.count == (warning == nil ? 0 : 1))
        #expect(found.first?.hasPrefix("c.yaml:4:16: ") ?? true)
        #expect(found.first?.contains(warning ?? "") ?? true)
    }

    @Test(
        "A grant to guests while guests are refused",
        arguments: [
            ("guest: [get], everyone: [get]", false, 1), ("guest: [get], everyone: [get]", true, 0),
            ("everyone: [get]", false, 0), ("guest: [get], authenticated: [get]", false, 1),
        ])
    func guestGrant(grants: String, allowsGuests: Bool, count: Int) throws {
        let callers = "auth: {guest: \(allowsGuests), apiKeys: [{id: k, \(Self.key)}]}"
        let found = try Self.warnings("\(callers)\nrules: [{path: a, allow: {\(grants)}}]")
        let message = "c.yaml:4:27: the grant to `guest` has no effect: guests are refused; set `auth.guest: true`"
        #expect(found.filter { $0.contains("guest") } == Array(repeating: message, count: count), "\(found)")
    }

    @Test(
        "A store's prefix that looks like a placeholder",
        arguments: [("v1/", 0), ("\"{identity}/\"", 1), ("\"v1/{group}/\"", 1)])
    func prefix(_ prefix: String, count: Int) throws {
        let yaml = """
            version: 1
            stores: {media: {bucket: b-1, region: eu-west-1, prefix: \(prefix)}}
            auth: {guest: true}
            rules: [{path: a, allow: {everyone: [get]}}]
            \(Self.limits)
            """
        let found = try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml").warnings.map(\.description)
        let warning =
            "c.yaml:2:58: `stores.media.prefix` is used literally: placeholders work only in the paths of rules"
        #expect(found == Array(repeating: warning, count: count))
    }

    @Test(
        "A password that is asked for only on this machine, because the service listens on the network without TLS",
        arguments: [
            ("listen: 0.0.0.0:8080", "{challenge: basic}", 1), ("listen: 127.0.0.1:8080", "{challenge: basic}", 0),
            ("listen: 0.0.0.0:8080, tls: {certificate: c, key: k}", "{challenge: basic}", 0),
            ("listen: 0.0.0.0:8080", "true", 0), ("listen: 0.0.0.0:8080", "{}", 0),
        ])
    func challenge(server: String, links: String, count: Int) throws {
        let yaml = """
            version: 1
            server: {\(server)}
            stores: {media: {bucket: b-1, region: eu-west-1, links: \(links)}}
            auth: {guest: true}
            rules: [{path: a, allow: {everyone: [get]}}]
            \(Self.limits)
            """
        let configuration = try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml")
        #expect(configuration.stores[0].offersLinks)
        let warning =
            "c.yaml:3:69: `challenge: basic` is sent only over TLS and to this machine, but the service listens on"
            + " 0.0.0.0:8080 without TLS; set `server.tls`"
        #expect(configuration.warnings.map(\.description) == Array(repeating: warning, count: count))
    }

    @Test("a configuration without rules or without callers, which refuses every request")
    func noRulesOrCallers() throws {
        #expect(
            try Self.warnings("rules: []") == [
                "c.yaml:3:8: every request is refused: there are no rules; add `rules`",
                "c.yaml:1:1: every request is refused: no caller can authenticate, and guests are not allowed; add callers to"
                    + " `auth`",
            ])
        #expect(try Self.warnings("auth: {guest: true}\nrules: [{path: a, allow: {everyone: [get]}}]").isEmpty)
    }

    @Test(
        "A store on another server whose upload limits an unsigned header could bypass",
        arguments: [
            ("", "[get, write]", "", true), (", unsignedHeaders: refused", "[get, write]", "", false),
            (", unsignedHeaders: unknown", "[get, write]", "", true),
            (", credentials: {read: profile:r, write: profile:w}", "[get, write]", "", false),
            (", credentials: {read: profile:r, write: profile:r}", "[get, write]", "", true),
            (", credentials: profile:r", "[get, write]", "", true), ("", "[get]", "", false),
            ("", "[get, multipart]", "", true),
            ("", "{actions: [get, write], overwrite: false}", "", true),
            ("", "[get, write]", "local: {directory: d}", false),
        ])
    func unsignedHeaders(store: String, grant: String, section: String, isWarned: Bool) throws {
        let yaml = """
            version: 1
            stores:
              media: {bucket: b-1, region: eu-west-1, endpoint: "https://s3.example"\(store)}
            auth: {guest: true}
            rules: [{path: a/**, allow: {everyone: \(grant)}}]
            \(section)
            \(Self.limits)
            """
        let found = try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml").warnings
        #expect(found.map(\.position.description) == (isWarned ? ["c.yaml:3:53"] : []))
        #expect(found.allSatisfy { $0.message.contains("x-amz-copy-source") && $0.message.contains("refused") })
        let aws = yaml.replacing(", endpoint: \"https://s3.example\"", with: "")
        #expect(try ServiceConfiguration(parsing: Array(aws.utf8), file: "c.yaml").warnings == [])
    }

    @Test(
        "No copy warning if everyone may read everything and uploads have no limits",
        arguments: [
            ("", "[get, write]", 0), ("", "{actions: [get, write], maxSize: 1k}", 1),
            ("", "{actions: [get, write], types: [a/b]}", 1), (", prefix: v1/", "[get, write]", 1),
        ])
    func openStore(store: String, grant: String, count: Int) throws {
        let yaml = """
            version: 1
            stores: {media: {bucket: b-1, region: eu-west-1, endpoint: "https://s3.example"\(store)}}
            auth: {apiKeys: [{id: k, \(Self.key)}]}
            rules: [{path: "**", allow: {everyone: \(grant)}}]
            """
        #expect(try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml").warnings.count == count)
        let denied = yaml + "\ndeny: [{path: b/**, actions: [get]}]"
        #expect(try ServiceConfiguration(parsing: Array(denied.utf8), file: "c.yaml").warnings.count == 1)
    }

    @Test(
        "Credentials of a store, for one role or both",
        arguments: [
            ("profile:a", "profile:a profile:a"), ("{read: profile:a, write: imds}", "profile:a imds"),
            ("{write: imds}", "process imds"), ("{read: imds}", "imds process"),
        ])
    func credentials(text: String, roles: String) throws {
        func yaml(_ text: String) -> [UInt8] {
            let store = "{bucket: b-1, region: x, credentials: \(text)}"
            return Array("version: 1\naws: {credentials: process}\nstores: {m: \(store)}".utf8)
        }
        let found = try #require(try ServiceConfiguration(parsing: yaml(text), file: "c.yaml").stores.first).credentials
        #expect("\(found.read) \(found.write)" == roles)
        for wrong in ["{reed: imds}", "{read: nothing}", "[imds]"] {
            #expect(throws: ConfigurationError.self) {
                _ = try ServiceConfiguration(parsing: yaml(wrong), file: "c.yaml")
            }
        }
    }

    @Test("Rules that contradict other sections")
    func warningsBesideOtherSections() throws {
        let yaml = """
            version: 1
            stores: {media: {bucket: acme-media, region: eu-west-1}}
            auth: {guest: true, apiKeys: [{id: web, hashes: ["sha256:\(String(repeating: "a", count: 64))"]}]}
            expires: {max: 1h}
            rules:
              - path: a/*
                allow: {everyone: [get], caller:wep: [write]}
            \(Self.limits)
            """
        let warnings = try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml").warnings
        #expect(warnings.map(\.position.description) == ["c.yaml:7:30"])
        #expect(warnings.map(\.message).joined().contains("did you mean `caller:web`?"))
    }
}
