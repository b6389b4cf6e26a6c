import Requests
import Testing

@testable import AccessRules
@testable import CallerAuthentication
@testable import DataFormats

@Suite("Headers that decide who calls")
struct DecidingHeaderTests {
    private static func authenticator(_ auth: String) throws -> CallerAuthenticator {
        let configuration = try ConfigurationNode.read(
            Array("{\(auth)}".utf8), file: "c.yaml", AuthenticationConfiguration.init)
        return try CallerAuthenticator(
            configuration, keys: .unused, read: { _ in Array("0123456789abcdef0123456789abcdef".utf8) })
    }

    private static let proxy = "from: [unix], secretHeader: X-Secret, secretFile: f, identity: X-User"

    private static let issuer = "name: i, issuer: i, audience: a, algorithms: [HS256], secretFile: f"

    @Test(
        "Credentials, and the headers of a proxy that signs users in",
        arguments: [
            ("guest: true", "Authorization, X-API-Key"),
            ("proxy: {from: [unix], clientAddress: X-Forwarded-For}", "Authorization, X-API-Key"),
            ("proxy: {\(proxy)}", "Authorization, X-API-Key, Cookie, x-user"),
            ("proxy: {\(proxy), groups: X-Groups}", "Authorization, X-API-Key, Cookie, x-user, x-groups"),
            ("jwt: [{\(issuer)}]", "Authorization, X-API-Key"),
            ("jwt: [{\(issuer), header: X-Token}]", "Authorization, X-API-Key, Cookie, x-token"),
            ("proxy: {\(proxy)}, jwt: [{\(issuer), header: T}]", "Authorization, X-API-Key, Cookie, x-user, t"),
        ])
    func headers(auth: String, names: String) throws {
        let authenticator = try Self.authenticator(auth)
        #expect(authenticator.headersDeciding(.guest) == names)
        #expect(authenticator.headersDeciding(Caller(scheme: .jwt, identity: "a")) == names)
    }

    @Test("No header decides for a caller with a client certificate")
    func certificate() throws {
        let caller = Caller(certificate: Array("web.example.org".utf8))
        #expect(try Self.authenticator("mtls: {identity: san.dns}").headersDeciding(caller) == nil)
    }
}
