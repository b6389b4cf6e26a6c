import Foundation
import SocketTestSupport
import System
import Testing

/// The files of a server's TLS settings.
struct ServerSettingsTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let chain, key: @Sendable (TestCertificates) throws -> [UInt8]
        let says: String
    }

    static let mistakes: [Mistake] = [
        Mistake(
            testDescription: "no certificate", chain: { _ in Array("nothing".utf8) },
            key: { try bytes(of: $0.server.key) }, says: "holds no certificate"),
        Mistake(
            testDescription: "empty files", chain: { _ in [] }, key: { _ in [] }, says: "holds no certificate"),
        Mistake(
            testDescription: "no key", chain: { try bytes(of: $0.server.certificate) },
            key: { try bytes(of: $0.server.certificate) }, says: "holds no private key"),
        Mistake(
            testDescription: "another's key", chain: { try bytes(of: $0.server.certificate) },
            key: { try bytes(of: $0.client.key) }, says: "does not belong"),
        Mistake(
            testDescription: "a damaged second certificate",
            chain: { try bytes(of: $0.server.certificate) + Array("-----BEGIN CERTIFICATE-----\nAAAA\n".utf8) },
            key: { try bytes(of: $0.server.key) }, says: "cannot be used"),
        Mistake(
            testDescription: "a short RSA key",
            chain: { try bytes(of: Self.weak($0).certificate) }, key: { try bytes(of: Self.weak($0).key) },
            says: "key too small"),
    ]

    private static func weak(_ shared: TestCertificates) throws -> CertificateAuthority.Issued {
        try shared.servers.issue("weak", key: "rsa:1024")
    }

    @Test(arguments: mistakes) func rejectsInvalidFilesWithTheReason(_ mistake: Mistake) throws {
        let shared = try TestCertificates.shared
        let (chain, key) = (try mistake.chain(shared), try mistake.key(shared))
        let failure = #expect(throws: TLSFailure.self) { try ServerTLS(chain: chain, key: key) }
        #expect(failure?.description.contains(mistake.says) == true, "\(failure?.description ?? "")")
    }

    @Test func rejectsEmptyAuthoritiesAndCRLs() throws {
        let shared = try TestCertificates.shared
        let good = try bytes(of: shared.clients.certificate)
        for (authorities, lists) in [
            ([], []), (Array("none".utf8), []), (good, Array("none".utf8)), (good, good),
            (try bytes(of: shared.client.key), []),
        ] {
            let clients = ServerTLS.Clients(authorities: authorities, revocationLists: lists)
            #expect(throws: TLSFailure.self) { try ServerTLS.make(clients: clients) }
        }
    }

    @Test func reportsTheEndOfValidity() throws {
        let shared = try TestCertificates.shared
        let now = Int64(Date.now.timeIntervalSince1970)
        let server = try ServerTLS.make()
        #expect(abs(server.ends - now - 2 * 86_400) < 600)
        #expect(server.revocationListsEnd == nil)
        let lists = try bytes(of: shared.clients.revocationList(named: "end", validFor: 0.5))
        let asking = try ServerTLS.make(
            clients: ServerTLS.Clients(authorities: bytes(of: shared.clients.certificate), revocationLists: lists))
        #expect(abs(try #require(asking.revocationListsEnd) - now - 43_200) < 600)
    }
}
