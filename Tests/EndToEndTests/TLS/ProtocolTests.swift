import Foundation
import SocketTestSupport
import Testing

@Suite("TLS against openssl, sslyze and testssl", .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct TLSProtocolTests {
    struct Offer: Sendable, CustomTestStringConvertible {
        let options: String
        /// The parameters reported by the session; nil if the handshake is rejected.
        let agreed: String?
        var testDescription: String { options }
    }

    /// Weak offers use the lowest security level of the machine's OpenSSL.
    static let offers: [Offer] = [
        Offer(options: "-tls1", agreed: nil), Offer(options: "-tls1_1", agreed: nil),
        Offer(options: "-tls1_2", agreed: "TLSv1.2"), Offer(options: "-tls1_3", agreed: "TLSv1.3"),
        Offer(options: "-tls1_2 -cipher ECDHE-ECDSA-AES128-GCM-SHA256", agreed: "ECDHE-ECDSA-AES128-GCM-SHA256"),
        Offer(options: "-tls1_2 -cipher ECDHE-ECDSA-CHACHA20-POLY1305", agreed: "ECDHE-ECDSA-CHACHA20-POLY1305"),
        Offer(options: "-tls1_2 -cipher ECDHE-ECDSA-AES256-SHA", agreed: nil),
        Offer(options: "-tls1_2 -cipher ECDHE-ECDSA-AES128-SHA256", agreed: nil),
        Offer(options: "-tls1_2 -cipher ECDHE-ECDSA-AES128-CCM", agreed: nil),
        Offer(options: "-tls1_2 -cipher AES128-GCM-SHA256:AES256-SHA:DHE-RSA-AES128-GCM-SHA256", agreed: nil),
        Offer(options: "-tls1_2 -cipher aNULL:eNULL", agreed: nil),
        Offer(options: "-tls1_3 -groups X25519", agreed: "TLSv1.3"),
        Offer(options: "-tls1_3 -groups ffdhe8192", agreed: nil),
        Offer(options: "-alpn h2,http/1.1", agreed: "ALPN protocol: http/1.1"),
        Offer(options: "-alpn h2", agreed: nil), Offer(options: "-alpn spdy/1,h3", agreed: nil),
    ]

    @Test("Each offer is negotiated or rejected") func offers() async throws {
        try await SecureService.serving { service in
            for offer in Self.offers {
                let words = offer.options.split(separator: " ").map(String.init)
                let level = words.contains("-cipher") ? [] : ["-cipher", "DEFAULT@SECLEVEL=0"]
                let result = try await service.connect(words + level)
                if let agreed = offer.agreed {
                    #expect(result.status == 0 && result.output.contains(agreed), "\(offer.options): \(result)")
                } else {
                    #expect(result.status != 0, "\(offer.options): \(result.output)")
                }
            }
        }
    }

    @Test("Sessions are resumed", arguments: ["-tls1_2", "-tls1_3"]) func resumption(_ version: String) async throws {
        try await SecureService.serving { service in
            try await withTemporaryDirectory { folder in
                let file = folder.appending(path: "session").path()
                // TLS 1.3 sends tickets after the handshake.
                let request = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                for (option, outcome) in [("-sess_out", "New, TLSv1."), ("-sess_in", "Reused, TLSv1.")] {
                    let result = try await service.connect([version, option, file], sending: request, keeps: true)
                    #expect(result.status == 0 && result.output.contains(outcome), "\(result)")
                    #expect(result.output.contains("HTTP/1.1 200 OK"))
                }
            }
        }
    }

    /// The input `R` makes s_client request it.
    @Test("Renegotiation is rejected") func renegotiation() async throws {
        try await SecureService.serving { service in
            let result = try await service.connect(["-tls1_2"], sending: "R\n")
            #expect(result.errors.contains("RENEGOTIATING"))
            #expect(result.errors.contains("no renegotiation"), "\(result.errors)")
        }
    }

    @Test("sslyze: Mozilla's intermediate configuration", .pythonClients) func sslyze() async throws {
        try await SecureService.serving { service in
            let result = try await Command.run(
                try #require(Python.interpreter),
                [
                    "-m", "sslyze", "--mozilla_config", "intermediate", "--certinfo_ca_file",
                    service.certificates.servers.certificate, "localhost:\(try service.port)",
                ])
            #expect(result.status == 0)
            #expect(result.output.contains("localhost:\(try service.port): OK - Compliant"), "\(result)")
        }
    }

    @Test(
        "testssl: no relevant finding",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/testssl"), "needs testssl.sh"))
    func testssl() async throws {
        struct Finding: Decodable { let id: String, severity: String, finding: String }
        try await SecureService.serving { service in
            try await withTemporaryDirectory { folder in
                let report = folder.appending(path: "report.json")
                _ = try await Command.run(
                    "/usr/bin/testssl",
                    [
                        "--quiet", "--color", "0", "--warnings", "off", "--ip", "127.0.0.1", "-p", "-s", "-f", "-U",
                        "--jsonfile", report.path(), "localhost:\(try service.port)",
                    ])
                let findings = try JSONDecoder().decode([Finding].self, from: Data(contentsOf: report))
                #expect(findings.count > 30)
                let bad = findings.filter { ["LOW", "MEDIUM", "HIGH", "CRITICAL", "FATAL"].contains($0.severity) }
                #expect(bad.isEmpty, "\(bad)")
                #expect(try await service.ask().status == 200)
            }
        }
    }
}
