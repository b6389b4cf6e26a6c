import TestSupport
import Testing

@testable import DataFormats
@testable import PresignService

/// Compares the guide's Configuration.md with the keys that the reader accepts. Another test compares these with
/// config/presign.yaml.
@Suite("The configuration reference", .enabled(if: (try? MarkdownDocument.page("Configuration.md")) != nil))
struct ConfigurationReferenceTests {
    /// A section, and a configuration whose mistake is the key `nokey` in it. The error lists the allowed keys.
    private static let sections: [(path: String, yaml: String)] = [
        ("", "nokey: 1"), ("server", "server: {nokey: 1}"), ("server.limits", "server: {limits: {nokey: 1}}"),
        ("server.timeouts", "server: {timeouts: {nokey: 1}}"), ("server.tls", "server: {tls: {nokey: 1}}"),
        ("server.tls.clients", "server: {tls: {certificate: a, key: b, clients: {nokey: 1}}}"),
        ("aws", "aws: {nokey: 1}"), ("stores", "stores: {media: {nokey: 1}}"),
        ("stores.credentials", "stores: {media: {bucket: acme-media, region: eu-west-1, credentials: {nokey: 1}}}"),
        ("stores.expires", "stores: {media: {bucket: acme-media, region: eu-west-1, expires: {nokey: 1}}}"),
        ("stores.links", "stores: {media: {bucket: acme-media, region: eu-west-1, links: {nokey: 1}}}"),
        ("expires", "expires: {nokey: 1}"), ("existence", "existence: {nokey: 1}"), ("auth", "auth: {nokey: 1}"),
        ("auth.apiKeys", "auth: {apiKeys: [{nokey: 1}]}"), ("auth.jwt", "auth: {jwt: [{nokey: 1}]}"),
        ("auth.mtls", "auth: {mtls: {nokey: 1}}"), ("auth.proxy", "auth: {proxy: {nokey: 1}}"),
        ("limits", "limits: {nokey: 1}"), ("limits.perCaller", "limits: {perCaller: {nokey: 1}}"),
        ("cors", "cors: {nokey: 1}"), ("page", "page: {nokey: 1}"), ("lfs", "lfs: {nokey: 1}"),
        ("shares", "shares: {nokey: 1}"), ("shares.keys", "shares: {keys: [{nokey: 1}]}"),
        ("shares.revoked", "shares: {keys: [], revoked: [{nokey: 1}]}"), ("local", "local: {nokey: 1}"),
        ("log", "log: {nokey: 1}"),
        ("page.signIn", "page: {signIn: {nokey: 1}}"),
        ("audit", "audit: {nokey: 1}"), ("metrics", "metrics: {nokey: 1}"),
        ("presets", "presets: [{nokey: 1}]"), ("presets.amplify", "presets: [{amplify: {nokey: 1}}]"),
        ("rules", "rules: [{nokey: 1}]"),
        ("rules.read", "rules: [{path: a, allow: {guest: [get]}, read: {nokey: 1}}]"),
        ("rules.write", "rules: [{path: a, allow: {guest: [get]}, write: {nokey: 1}}]"),
        ("rules.multipart", "rules: [{path: a, allow: {guest: [get]}, multipart: {nokey: 1}}]"),
        ("rules.write.set", "rules: [{path: a, allow: {guest: [get]}, write: {set: {nokey: 1}}}]"),
        ("rules.expires", "rules: [{path: a, allow: {guest: [get]}, expires: {nokey: 1}}]"),
        ("rules.share", "rules: [{path: a, allow: {guest: [get]}, share: {nokey: 1}}]"),
        ("rules.allow", "rules: [{path: a, allow: {guest: {nokey: 1}}}]"), ("deny", "deny: [{nokey: 1}]"),
    ]

    /// The paths of all keys, without list indices and without the names that operators choose.
    private static func keys() throws -> [String] {
        try sections.flatMap { path, yaml in
            let stores = yaml.hasPrefix("stores") ? "" : "stores: {media: {bucket: acme-media, region: eu-west-1}}\n"
            let error = #expect(throws: ConfigurationError.self, "\(path)") {
                _ = try ServiceConfiguration(parsing: Array("version: 1\n\(stores)\(yaml)".utf8), file: "c.yaml")
            }
            let message = try #require(error?.mistakes.first { $0.message.contains("allowed here: ") }?.message)
            let names = message.matches(of: /`([A-Za-z0-9]+)`/).map { String($0.output.1) }.filter { $0 != "nokey" }
            return names.map { path.isEmpty ? $0 : "\(path).\($0)" }
        } + ["auth.jwt.claims.identity", "auth.jwt.claims.groups", "limits.perGuest.rate", "limits.perGuest.burst"]
    }

    /// `stores.NAME.bucket` as `stores.bucket`, `auth.apiKeys[].id` as `auth.apiKeys.id`.
    private static func normalized(_ key: String) -> String {
        key.replacing(/\[[^\]]*\]/, with: "").split(separator: ".")
            .filter { $0.contains(where: \.isLowercase) && !$0.hasPrefix("<") }.joined(separator: ".")
    }

    /// Whether a table names the key of a section by its full path or without the path of the section.
    private static func names(_ documented: String, _ key: String) -> Bool {
        key == documented || key.hasSuffix("." + documented)
    }

    /// Whether the row of a section shows a key, or the text around the row does in braces, as in `{read: ...}`.
    private static func shows(_ key: String, _ row: (key: String, line: Int), in page: MarkdownDocument) -> Bool {
        let parts = key.split(separator: ".")
        guard parts.count > 1, let name = parts.last, names(row.key, parts.dropLast().joined(separator: ".")),
            let heading = page.headings.last(where: { $0.line < row.line }),
            let text = page.prose.first(where: { $0.line == row.line })?.text
        else { return false }
        let words = text.split { !$0.isLetter }
        let spans = page.section(heading).matches(of: /`[^`]*{[^`]*`/).flatMap { $0.output.split { !$0.isLetter } }
        return words.contains(name) || spans.contains(name)
    }

    @Test("It has every key, and no other")
    func everyKey() throws {
        let page = try #require(try MarkdownDocument.page("Configuration.md"))
        let keys = try Self.keys()
        let rows = page.tableKeys.map { (key: Self.normalized($0.key), line: $0.line) }
        for key in keys {
            let isNamed = rows.contains { row in
                // A section is named by its keys.
                Self.names(row.key, key) || row.key.hasPrefix(key + ".") || Self.shows(key, row, in: page)
            }
            #expect(isNamed, "\(key) is not in a table of Configuration.md")
        }
        for row in page.tableKeys where row.header.lowercased().hasPrefix("key") {
            let key = Self.normalized(row.key)
            #expect(keys.contains { Self.names(key, $0) }, "Configuration.md:\(row.line): there is no key \(row.key)")
        }
    }
}
