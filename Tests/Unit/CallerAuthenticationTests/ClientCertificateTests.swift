import Requests
import Testing

@testable import AccessRules
@testable import CallerAuthentication
@testable import DataFormats
@testable import HTTP1
@testable import Presigning
@testable import System

@Suite("Client certificates")
struct ClientCertificateTests {
    private static let now = SigningTime(secondsSince1970: 1_000_000)

    private static func authenticator(_ auth: String) throws -> CallerAuthenticator {
        let configuration = try ConfigurationNode.read(
            Array("{\(auth)}".utf8), file: "c.yaml", AuthenticationConfiguration.init)
        return try CallerAuthenticator(configuration, keys: .unused, read: { _ in [] })
    }

    private static func certificate(
        _ names: [PeerCertificate.NameKind: PeerCertificate.Name], validity: Range<Int64> = 0..<2_000_000
    ) -> PeerCertificate {
        PeerCertificate(names: names, validity: validity)
    }

    private static func one(_ text: String) -> PeerCertificate.Name { .one(Array(text.utf8)) }

    /// The caller's label, or a description of any other outcome.
    private static func outcome(
        _ certificate: PeerCertificate?, _ fields: [(String, String)] = [], auth: String = "mtls: {identity: san.dns}"
    ) throws -> String {
        let outcome = try authenticator(auth).outcome(
            for: HTTPHeaders(fields), certificate: certificate, from: .unix, at: now)
        switch outcome {
        case .authenticated(let caller): return String(decoding: caller.label, as: UTF8.self)
        case .rejected(let reason): return "\(reason)"
        default: return "\(outcome)"
        }
    }

    @Test(
        "The certificate's only name of the configured kind becomes the identity",
        arguments: [
            ([.dns: one("web.example.org"), .uri: .several], "certificate:web.example.org"),
            ([.uri: one("urn:a")], "client certificate: no name of the kind in auth.mtls.identity"),
            ([.dns: .several], "client certificate: several names of the kind in auth.mtls.identity"),
            ([.dns: .unusable], "client certificate: the name contains characters other than visible ASCII"),
            ([.dns: one("*.example.org")], "client certificate: the name is a wildcard"),
        ] as [([PeerCertificate.NameKind: PeerCertificate.Name], String)])
    func names(_ names: [PeerCertificate.NameKind: PeerCertificate.Name], _ outcome: String) throws {
        #expect(try Self.outcome(Self.certificate(names)) == outcome)
    }

    @Test(
        "A certificate is rejected once it expires, even on an open connection",
        arguments: [
            (0..<1_000_001, true), (1_000_000..<1_000_001, true), (0..<1_000_000, false),
            (1_000_001..<2_000_000, false), (0..<0, false),
        ]
            as [(Range<Int64>, Bool)])
    func validity(_ validity: Range<Int64>, _ isGood: Bool) throws {
        let outcome = try Self.outcome(Self.certificate([.dns: Self.one("a")], validity: validity))
        #expect(outcome == (isGood ? "certificate:a" : "client certificate: expired or not yet valid"))
    }

    @Test("A certificate together with any other credentials is ambiguous")
    func ambiguous() throws {
        let certificate = Self.certificate([.dns: Self.one("a")])
        for field in [("Authorization", "Bearer x"), ("X-API-Key", "psk_a_b"), ("Authorization", "")] {
            #expect(try Self.outcome(certificate, [field]) == "ambiguous")
            // Also if the certificate has no usable name.
            #expect(try Self.outcome(Self.certificate([:]), [field]) == "ambiguous")
        }
    }

    @Test("Without a certificate, or where mTLS is not configured, the other credentials decide")
    func others() throws {
        let certificate = Self.certificate([.dns: Self.one("a")])
        #expect(try Self.outcome(nil) == "missing")
        #expect(try Self.outcome(nil, auth: "mtls: {identity: san.dns}, guest: true") == "guest")
        #expect(try Self.outcome(certificate, auth: "guest: true") == "guest")
        #expect(try Self.outcome(certificate, [("X-API-Key", "psk_a_b")], auth: "guest: true") == "malformed API key")
    }
}
