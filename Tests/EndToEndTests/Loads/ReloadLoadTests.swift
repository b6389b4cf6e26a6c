import Foundation
import SocketTestSupport
import Testing

extension Loads {
    @Suite("Reloads and TLS under load")
    struct ReloadsUnderLoad {
        @Test("During fifty reloads under load, every request gets a URL by the old or the new rules")
        func fiftyReloads() async throws {
            try await BackgroundPrograms.keeping { background in
                try await Loads.serving { service in
                    let load = try background.start(
                        "/usr/bin/wrk",
                        Wrk.arguments("http://\(service.address)/presign", key: service.apiKey, connections: 16))
                    for round in 1...50 {
                        #expect(kill(service.identifier, SIGHUP) == 0)
                        try await service.settles("reload \(round)") { try service.logged("reloaded").count >= round }
                    }
                    #expect(try Wrk.report(in: try await load.ended().output).isClean)
                }
            }
        }

        @Test("Certificates can be replaced under load without losing a connection") func replacedCertificates()
            async throws
        {
            try await BackgroundPrograms.keeping { background in
                try await SecureService.serving { service in
                    let load = try background.start(
                        "/usr/bin/wrk",
                        Wrk.arguments("\(try service.url)/presign", key: service.process.apiKey, connections: 16))
                    for round in 1...6 {
                        try service.files.serve(
                            service.certificates.servers.issue("round\(round)", alternatives: "DNS:localhost"))
                        #expect(kill(service.process.identifier, SIGHUP) == 0)
                        try await service.process.settles("round \(round)") {
                            try service.process.logged("tls-loaded").count >= round
                        }
                        // New connections get the new certificate.
                        #expect(try await service.connect([]).output.contains("subject=CN = round\(round)"))
                    }
                    #expect(try Wrk.report(in: try await load.ended().output).isClean)
                }
            }
        }

        @Test("wrk over TLS has no failures") func overTLS() async throws {
            try await SecureService.serving { service in
                let run = try await Wrk.run(
                    "\(try service.url)/presign", key: service.process.apiKey, connections: 32)
                #expect(run.isClean && run.answered > 100, "\(run)")
            }
        }
    }
}
