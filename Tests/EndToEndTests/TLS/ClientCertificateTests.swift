import Foundation
import SocketTestSupport
import Testing

@Suite("Client certificates", .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct ClientCertificateTests {
    private static let usual = "URI:spiffe://example.org/web,DNS:web.example.org,email:web@example.org"

    struct Holder: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let names: String
        /// The caller in the log for each configured kind of name; nil: 401.
        var labels: [String: String?] = [:]
    }

    static let holders: [Holder] = [
        Holder(
            testDescription: "one of each", names: usual,
            labels: [
                "san.uri": "certificate:spiffe://example.org/web", "san.dns": "certificate:web.example.org",
                "san.email": "certificate:web@example.org",
            ]),
        Holder(
            testDescription: "several URIs", names: "URI:urn:a,URI:urn:b,DNS:web.example.org",
            labels: ["san.uri": nil, "san.dns": "certificate:web.example.org"]),
        Holder(testDescription: "duplicate name", names: "DNS:a.example,DNS:a.example", labels: ["san.dns": nil]),
        Holder(testDescription: "no names", names: "", labels: ["san.uri": nil, "san.dns": nil, "san.email": nil]),
        Holder(testDescription: "a wildcard", names: "DNS:*.example.org", labels: ["san.dns": nil]),
        // 30 05: one name, 82 03: a DNS name of three bytes, the second of which is zero.
        Holder(testDescription: "a NUL", names: "DER:30:05:82:03:61:00:62", labels: ["san.dns": nil]),
        Holder(testDescription: "not ASCII", names: "DER:30:05:86:03:61:C3:A9", labels: ["san.uri": nil]),
    ]

    @Test("The identity is the only name of its kind", arguments: ["san.uri", "san.dns", "san.email"])
    func identity(_ kind: String) async throws {
        try await SecureService.serving(.asked, identity: kind) { service in
            for (index, holder) in Self.holders.enumerated() {
                guard let label = holder.labels[kind] else { continue }
                let issued = try service.certificates.clients.issue(
                    "holder\(index)-\(kind)", alternatives: holder.names, usage: .clientAuth)
                let response = try await service.ask(as: issued, key: false)
                #expect(response.status == (label == nil ? 401 : 200), "\(holder): \(response)")
                guard let label else { continue }
                let requests = service.process.log.deletingLastPathComponent().appending(path: "requests")
                try await service.process.settles("the log names the caller") {
                    try String(contentsOf: requests, encoding: .utf8).contains("\"caller\":\"\(label)\"")
                }
            }
        }
    }

    @Test("A certificate together with a key is ambiguous; without both there are no credentials")
    func ambiguity() async throws {
        try await SecureService.serving(.asked, identity: "san.uri") { service in
            let both = try await service.ask(as: service.certificates.client)
            #expect(both.status == 400 && both.body.contains("credentials-ambiguous"), "\(both)")
            #expect(try await service.ask(key: true).status == 200)
            #expect(try await service.ask(key: false).status == 401)
        }
    }

    /// Without `auth.mtls` a certificate only opens the connection.
    @Test("A certificate is not a caller if auth.mtls is not configured") func gateOnly() async throws {
        try await SecureService.serving(.required) { service in
            let client = service.certificates.client
            let withKey = try await service.ask(as: client)
            #expect(withKey.status == 200)
            #expect(try await service.ask(as: client, key: false).status == 401)
            #expect(try await service.ask().exit != 0)
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The reason in the log.
        let reason: String
        let issue: @Sendable (CertificateAuthority) throws -> CertificateAuthority.Issued
    }

    static let refusals: [Refusal] = [
        Refusal(testDescription: "revoked", reason: "certificate revoked") {
            try $0.issue("revoked", alternatives: usual, usage: .clientAuth)
        },
        Refusal(testDescription: "expired", reason: "certificate has expired") {
            try $0.issue("expired", alternatives: usual, usage: .clientAuth, validity: -3...(-1))
        },
        Refusal(testDescription: "not yet valid", reason: "certificate is not yet valid") {
            try $0.issue("early", alternatives: usual, usage: .clientAuth, validity: 1...2)
        },
        // curl sends that authority's own certificate too.
        Refusal(testDescription: "another authority", reason: "self-signed certificate in certificate chain") { _ in
            try TestCertificates.shared.servers.issue("stranger", alternatives: usual, usage: .clientAuth)
        },
        Refusal(testDescription: "for servers", reason: "unsuitable certificate purpose") {
            try $0.issue("server", alternatives: usual)
        },
    ]

    @Test("A certificate without a trusted authority is rejected before any request, and the log says why")
    func refusals()
        async throws
    {
        try await withTemporaryDirectory { folder in
            let authority = try CertificateAuthority(named: "Clients", in: folder.appending(path: "ca").path())
            let holders = try Self.refusals.map { ($0, try $0.issue(authority)) }
            try authority.revoke(holders[0].1)
            for (refusal, issued) in holders {
                // One at a time: the log has one such line per ten seconds.
                try await SecureService.serving(.asked, identity: "san.uri", authority: authority) { service in
                    let response = try await service.ask(as: issued, key: false)
                    #expect(response.exit != 0 && response.status == 0, "\(refusal): \(response)")
                    try await service.process.settles("the reason is logged") {
                        try service.process.logged("tls-failure").contains { $0.contains(refusal.reason) }
                    }
                    // Other clients are not affected.
                    #expect(try await service.ask().status == 200)
                }
            }
        }
    }

    @Test("An empty CRL is invalid, and the previous one stays in use") func emptyList() async throws {
        try await withTemporaryDirectory { folder in
            let authority = try CertificateAuthority(named: "Clients", in: folder.appending(path: "ca").path())
            let revoked = try authority.issue("revoked", alternatives: Self.usual, usage: .clientAuth)
            try authority.revoke(revoked)
            try await SecureService.serving(.asked, identity: "san.uri", authority: authority) { service in
                try [UInt8]().write(to: service.files.lists)
                #expect(kill(service.process.identifier, SIGHUP) == 0)
                try await service.process.settles("the CRL is rejected") {
                    try service.process.logged("reload-failed").contains { $0.contains("is empty") }
                }
                #expect(try await service.ask(as: revoked, key: false).exit != 0)
            }
        }
    }

    @Test("When a CRL expires, its certificates are rejected, also on open connections") func endingList()
        async throws
    {
        try await SecureService.serving(.asked, identity: "san.uri") { service in
            let (client, clients) = (service.certificates.client, service.certificates.clients)
            let seconds = 8.0
            try bytes(of: clients.revocationList(named: "short", validFor: seconds / 86_400))
                .write(to: service.files.lists)
            #expect(kill(service.process.identifier, SIGHUP) == 0)
            try await service.process.settles("the CRL is loaded") {
                try service.process.logged("tls-loaded").count == 1
            }
            // Two requests on one connection, the second after the CRL has expired.
            let statuses = try await service.statuses(ofTwoRequestsAs: client, seconds: 12)
            #expect(statuses == ["200", "000"])
            #expect(try await service.ask().status == 200)
        }
    }

    @Test("An expired CRL rejects every client with a certificate; a new one accepts them") func expiredList()
        async throws
    {
        try await SecureService.serving(.asked, identity: "san.uri") { service in
            let (client, clients) = (service.certificates.client, service.certificates.clients)
            try bytes(of: clients.revocationList(named: "ended", validFor: -1)).write(to: service.files.lists)
            try await service.process.settles("the CRL is loaded") {
                try service.process.logged("tls-loaded").count == 1
            }
            #expect(try await service.ask(as: client, key: false).exit != 0)
            #expect(try await service.ask().status == 200)
            try await service.process.settles("its expiration is logged") {
                try String(contentsOf: service.process.log, encoding: .utf8)
                    .contains("server.tls.clients.crl: a revocation list expired")
            }
            try bytes(of: clients.revocationList(named: "new")).write(to: service.files.lists)
            try await service.process.settles("the next CRL is loaded") {
                try service.process.logged("tls-loaded").count == 2
            }
            #expect(try await service.ask(as: client, key: false).status == 200)
        }
    }

    @Test("A revoked client is disconnected, also on an open connection", .pythonClients)
    func revokedWhileConnected() async throws {
        try await withTemporaryDirectory { folder in
            let authority = try CertificateAuthority(named: "Clients", in: folder.appending(path: "ca").path())
            let holders = try ["stays", "goes"].map {
                try authority.issue($0, alternatives: Self.usual, usage: .clientAuth)
            }
            try await SecureService.serving(.asked, identity: "san.uri", authority: authority) { service in
                try await BackgroundPrograms.keeping { background in
                    let clients = try holders.map { issued in
                        try background.start(
                            try #require(Python.interpreter),
                            [
                                Python.script("kept_open"), "localhost", "\(try service.port)",
                                service.certificates.servers.certificate, issued.certificate, issued.key,
                            ])
                    }
                    for client in clients {
                        try await service.process.settles("the client is served") {
                            try client.printed.contains("200\n200\n")
                        }
                    }
                    try authority.revoke(holders[1])
                    try bytes(of: authority.revocationList(named: "later")).write(to: service.files.lists)
                    try await service.process.settles("the revoked client is disconnected") {
                        try clients[1].printed.contains("closed")
                    }
                    let served = try clients[0].printed.count
                    try await service.process.settles("the other client is still served") {
                        try clients[0].printed.count > served + 8
                    }
                    #expect(try !clients[0].printed.contains("closed"))
                }
            }
        }
    }

    @Test("A reload that requires certificates ends open connections without one", .pythonClients)
    func requiredWhileConnected() async throws {
        try await SecureService.serving(.asked, identity: "san.uri") { service in
            try await BackgroundPrograms.keeping { background in
                let client = try background.start(
                    try #require(Python.interpreter),
                    [
                        Python.script("kept_open"), "localhost", "\(try service.port)",
                        service.certificates.servers.certificate,
                    ])
                try await service.process.settles("the client is served") {
                    try client.printed.contains("401\n401\n")
                }
                let file = service.process.configuration
                let text = try String(contentsOf: file, encoding: .utf8)
                try Data(text.replacing("required: false", with: "required: true").utf8).write(to: file)
                try await service.process.settles("the connection is closed") {
                    try client.printed.contains("closed")
                }
                #expect(try await service.ask(as: service.certificates.client, key: false).status == 200)
            }
        }
    }
}
