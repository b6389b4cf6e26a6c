import Glibc
import SocketTestSupport
import System
import Testing

/// The certificates that a client trusts.
struct TrustTests {
    static let hosts: [(String, Bool)] = [
        ("localhost", true), ("LOCALHOST", true), ("127.0.0.1", true), ("::1", true), ("127.0.0.2", false),
        ("localhost.example.org", false), ("example.org", false), ("Localhos", false),
    ]

    @Test(arguments: hosts) func hostMustMatchTheCertificate(_ host: String, _ isRight: Bool) throws {
        let outcomes = try SessionPair(.make(), .make(), host: host).shakeHands()
        #expect((outcomes.client == .done(1)) == isRight)
        if case .failed(let failure) = outcomes.client {
            #expect(failure.description.hasSuffix("mismatch"), "\(failure)")
        }
    }

    @Test func rejectsAnUnknownAuthority() throws {
        let client = try ClientTLS(trusting: .file(TestCertificates.shared.clients.certificate))
        guard case .failed(let failure) = try SessionPair(client, .make()).shakeHands().client else {
            Issue.record("trusted")
            return
        }
        #expect(failure.description.contains("certificate"))
    }

    @Test func systemAuthoritiesDoNotTrustTheTestAuthority() throws {
        guard case .failed = try SessionPair(ClientTLS(trusting: .system), .make()).shakeHands().client else {
            Issue.record("trusted")
            return
        }
        #expect(try SessionPair(ClientTLS(trusting: .anyone), .make()).shakeHands().client == .done(1))
    }

    @Test(arguments: [-2.0...(-1), 1...2]) func rejectsACertificateOutsideItsValidity(_ validity: ClosedRange<Double>)
        throws
    {
        let servers = try TestCertificates.shared.servers
        let issued = try servers.issue(
            "out-of-time\(validity.lowerBound)", alternatives: "DNS:localhost", validity: validity)
        guard case .failed(let failure) = try SessionPair(.make(), .make(issued)).shakeHands().client else {
            Issue.record("trusted")
            return
        }
        #expect(failure.description.contains(validity.lowerBound < 0 ? "expired" : "not yet valid"))
    }

    /// The common name is not checked (RFC 9525 section 2), and a client certificate is not valid for a server.
    @Test func rejectsACertificateForAnotherPurpose() throws {
        let servers = try TestCertificates.shared.servers
        for issued in [
            try servers.issue("nameless.example.org"),
            try servers.issue("nameless", alternatives: "DNS:nameless.example.org", usage: .clientAuth),
        ] {
            let pair = try SessionPair(.make(), .make(issued), host: "nameless.example.org")
            guard case .failed = pair.shakeHands().client else {
                Issue.record("trusted")
                return
            }
        }
    }

    @Test(arguments: ["/nowhere/at/all.pem", "/etc/passwd"]) func rejectsUnusableAuthorityFiles(_ path: String) {
        #expect(throws: TLSFailure.self) { try ClientTLS(trusting: .file(path)) }
    }

    @Test(arguments: ["", "a\u{0}b", "1.2.3.4.5"]) func rejectsInvalidHosts(_ host: String) throws {
        let sockets = try SessionPair.joined()
        defer { for socket in sockets { close(socket) } }
        let client = try ClientTLS.make()
        #expect(throws: TLSFailure.self) { try client.session(with: host, over: Socket(owning: dup(sockets[0]))) }
    }
}
