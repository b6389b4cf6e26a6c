import TestSupport
import Testing

@testable import CallerAuthentication
@testable import DataFormats
@testable import HTTP1
@testable import HTTPServer
@testable import PresignService
@testable import Presigning

@Suite("The annotated configuration file")
struct AnnotatedConfigurationTests {
    private static func text(of name: String) throws -> String { try Repository.text(of: "config/" + name) }

    private static func parsed(_ text: String) throws -> ServiceConfiguration {
        try ServiceConfiguration(parsing: Array(text.utf8), file: "c.yaml")
    }

    @Test("Every default in the file is the built-in default")
    func defaults() throws {
        let written = try Self.parsed(try Self.text(of: "presign.yaml"))
        let built = try Self.parsed("version: 1\nstores: {media: {bucket: acme-media, region: eu-west-1}}\n")
        #expect(written.server.listen == built.server.listen)
        #expect(written.server.loops == built.server.loops)
        #expect(written.server.backlog == built.server.backlog)
        #expect(written.server.limits == built.server.limits && written.bodies == built.bodies)
        #expect(written.server.timeouts == built.server.timeouts)
        #expect(written.expires == built.expires && written.aws == built.aws)
        #expect(written.existence == built.existence)
        #expect(written.limits == built.limits)
        #expect(written.authentication.allowsGuests == built.authentication.allowsGuests)
        #expect(written.cors.origins == built.cors.origins && written.cors.maxAge == built.cors.maxAge)
        #expect(written.cors.headers == built.cors.headers)
        #expect(written.log == built.log && written.audit == built.audit)
        #expect(written.metrics == built.metrics && written.shutdownDelay == built.shutdownDelay)
        #expect(written.servesPage == built.servesPage && written.local == nil && built.local == nil)
        #expect(written.warnings.allSatisfy { $0.description.contains("is a placeholder") })
    }

    @Test("Every default of a store is the built-in default")
    func storeDefaults() throws {
        let written = try #require(try Self.parsed(try Self.text(of: "presign.yaml")).stores.first)
        let built = try #require(
            try Self.parsed("version: 1\nstores: {media: {bucket: acme-media, region: eu-west-1}}\n").stores.first)
        #expect(written.name == built.name && written.isDefault == built.isDefault)
        #expect(written.prefix == built.prefix && written.credentials == built.credentials)
        #expect(written.unsignedHeaders == built.unsignedHeaders && written.uploadIDs == built.uploadIDs)
        #expect(written.validatesExistence == built.validatesExistence)
        #expect(written.offersLinks == built.offersLinks && written.window == built.window)
        #expect("\(written.bucket.endpoint.options)" == "\(built.bucket.endpoint.options)")
        #expect("\(written.internalBucket.endpoint.options)" == "\(built.internalBucket.endpoint.options)")
    }

    /// A file with the unknown key `nokey`; the message of that key lists the allowed keys.
    @Test(
        "The file contains every allowed key",
        arguments: [
            "nokey: 1", "server: {nokey: 1}", "aws: {nokey: 1}", "server: {limits: {nokey: 1}}",
            "server: {timeouts: {nokey: 1}}",
            "expires: {nokey: 1}", "existence: {nokey: 1}", "auth: {nokey: 1}", "auth: {apiKeys: [{nokey: 1}]}",
            "auth: {jwt: [{nokey: 1}]}", "auth: {proxy: {nokey: 1}}",
            "cors: {nokey: 1}", "page: {nokey: 1}", "page: {signIn: {nokey: 1}}",
            "limits: {nokey: 1}", "limits: {perCaller: {nokey: 1}}",
            "local: {nokey: 1}",
            "log: {nokey: 1}", "audit: {nokey: 1}", "metrics: {nokey: 1}", "rules: [{nokey: 1}]",
            "rules: [{path: a, allow: {guest: [get]}, write: {nokey: 1}}]",
            "rules: [{path: a, allow: {guest: [get]}, write: {set: {nokey: 1}}}]",
            "rules: [{path: a, allow: {guest: [get]}, read: {nokey: 1}}]",
            "rules: [{path: a, allow: {guest: [get]}, expires: {nokey: 1}}]",
            "rules: [{path: a, allow: {guest: [get]}, multipart: {nokey: 1}}]",
            "rules: [{path: a, allow: {guest: {nokey: 1}}}]",
            "deny: [{nokey: 1}]", "presets: [{nokey: 1}]", "presets: [{amplify: {nokey: 1}}]",
        ])
    func everyKey(section: String) throws {
        let text = try Self.text(of: "presign.yaml")
        let yaml = "version: 1\nstores: {media: {bucket: acme-media, region: eu-west-1}}\n" + section
        let error = #expect(throws: ConfigurationError.self) { _ = try Self.parsed(yaml) }
        let message = try #require(error?.mistakes.map(\.message).first { $0.hasPrefix("unknown key") })
        let known = try #require(message.split(separator: "allowed here: ").last)
        for key in known.split(separator: ", ").map({ $0.trimmingPrefix("`").dropLast() }) {
            #expect(text.contains("\(key):"), "\(key) is missing")
        }
    }

    @Test("The commented presets, rules and denials are valid when uncommented")
    func commentedRules() throws {
        let lines = try Self.text(of: "presign.yaml").split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("# presets:") })
        let rules = lines[start...].map { $0.replacing(/^(\ *)#\ /) { $0.output.1 } }.joined(separator: "\n")
        let written = try Self.parsed(
            """
            version: 1
            stores:
              media: {bucket: acme-media, region: eu-west-1, default: true}
              archive: {bucket: acme-archive, region: eu-west-1}
            auth:
              guest: true
              apiKeys: [{id: web, hashes: ["sha256:\(String(repeating: "0", count: 64))"], groups: [editors]}]
            limits: {perGuest: 60/m}
            shares: {url: "https://files.example.com", keys: [{id: a, file: share.key}]}
            \(rules)
            """)
        #expect(written.warnings.allSatisfy { $0.description.contains("is a placeholder") }, "\(written.warnings)")
        for part in [
            "store: archive", "store: media", "actions: [write, multipart]", "actions: [get, write]", "\"{group}\":",
        ] {
            #expect(rules.contains("  " + part), "\(part)")
        }
    }

    @Test("The quickstart configuration has no warnings")
    func quickstart() throws {
        #expect(try Self.parsed(try Self.text(of: "quickstart.yaml")).warnings.isEmpty)
    }
}
