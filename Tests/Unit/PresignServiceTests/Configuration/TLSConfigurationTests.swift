import Testing

@testable import CallerAuthentication
@testable import DataFormats
@testable import HTTPServer
@testable import PresignService
@testable import System

@Suite("server.tls")
struct TLSConfigurationTests {
    private static func parsed(_ server: String, _ auth: String = "guest: true") throws -> ServiceConfiguration {
        let text = """
            version: 1
            server: {listen: ["127.0.0.1:8443", "unix:/run/s"], \(server)}
            stores: {media: {bucket: acme, region: eu-west-1}}
            auth: {\(auth)}
            limits: {perGuest: 60/m}
            rules: [{path: "**", allow: {everyone: [get]}}]
            """
        return try ServiceConfiguration(parsing: Array(text.utf8), file: "c.yaml")
    }

    @Test("TLS files are watched, and each address has its own certificate") func files() throws {
        let all = try Self.parsed(
            "tls: {certificate: c, key: k, clients: {ca: a, crl: r, required: true}, plain: [\"127.0.0.1:8080\"]}",
            "mtls: {identity: san.dns}")
        #expect(all.files == ["c", "k", "a", "r"])
        #expect(all.tls?.clients?.isRequired == true)
        #expect(all.authentication.certificates?.identity == .dns)
        let addresses = all.server.listen + all.server.plainListen
        #expect(addresses.indices.map { all.speaksTLS(addresses[$0], at: $0) } == [true, false, false])
        #expect(
            all.summary.prefix(3) == [
                "listens on 127.0.0.1:8443 (TLS, client certificates required)", "listens on unix:/run/s",
                "listens on 127.0.0.1:8080",
            ])
        let none = try Self.parsed("loops: 1")
        #expect(none.tls == nil && none.files.isEmpty && !none.speaksTLS(none.server.listen[0], at: 0))
    }

    @Test("Enabling TLS needs a restart; changing its files does not") func restart() throws {
        let (none, one) = (try Self.parsed("loops: 1"), try Self.parsed("loops: 1, tls: {certificate: c, key: k}"))
        let other = try Self.parsed("loops: 1, tls: {certificate: d, key: l, clients: {ca: a}}")
        #expect(one.sectionsNeedingRestart(after: none) == ["server"])
        #expect(none.sectionsNeedingRestart(after: one) == ["server"])
        #expect(other.sectionsNeedingRestart(after: one).isEmpty)
    }

    @Test("Warns if required client certificates leave no address for health checks") func healthChecks() throws {
        let required = "tls: {certificate: c, key: k, clients: {ca: a, required: true}"
        let closed = "listen: [\"127.0.0.1:1\"], " + required
        let text = """
            version: 1
            server: {\(closed)}}
            stores: {media: {bucket: acme, region: eu-west-1}}
            auth: {guest: true}
            rules: [{path: "**", allow: {everyone: [get]}}]
            """
        let warned = try ServiceConfiguration(parsing: Array(text.utf8), file: "c.yaml").warnings
        #expect(warned.map(\.message).contains { $0.contains("to `server.tls.plain`") })
        #expect(try Self.parsed(required + "}").warnings.isEmpty)
    }
}
