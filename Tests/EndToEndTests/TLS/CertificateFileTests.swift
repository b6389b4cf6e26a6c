import Foundation
import SocketTestSupport
import Testing

@Suite("TLS files of the running service", .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct CertificateFileTests {
    @Test(
        "A mismatched certificate and key are not loaded, and the log says why; matching ones load without a signal"
    ) func broken()
        async throws
    {
        try await SecureService.serving { service in
            let other = try service.certificates.servers.issue("other", alternatives: "DNS:localhost")
            try bytes(of: other.key).write(to: service.files.key)
            try await service.process.settles("the mismatch is logged") {
                try service.process.logged("reload-failed").contains {
                    $0.contains("the private key does not belong")
                }
            }
            #expect(try await service.ask().status == 200)
            try bytes(of: other.certificate).write(to: service.files.certificate)
            try await service.process.settles("both files are in place") {
                try service.process.logged("tls-loaded").count == 1
            }
            #expect(try await service.connect([]).output.contains("subject=CN = other"))
            try FileManager.default.removeItem(atPath: service.files.certificate)
            try await service.process.settles("the missing file is logged") {
                try service.process.logged("reload-failed").contains {
                    $0.contains("server.tls.certificate: cannot read")
                }
            }
            #expect(try await service.ask().status == 200)
        }
    }

    @Test("A reload without new TLS files leaves sessions as they are") func unchanged() async throws {
        try await SecureService.serving { service in
            #expect(kill(service.process.identifier, SIGHUP) == 0)
            try await service.process.settles("reloaded") { try service.process.logged("reloaded").count == 1 }
            #expect(try service.process.logged("tls-loaded").isEmpty)
        }
    }

    @Test("Unusable files end the start with the reason") func start() async throws {
        let shared = try TestCertificates.shared
        let cases: [(certificate: String, key: String, says: String)] = [
            ("/nowhere.pem", shared.server.key, "server.tls.certificate: cannot read /nowhere.pem"),
            (shared.server.certificate, "/nowhere.key", "server.tls.key: cannot read /nowhere.key"),
            (shared.server.certificate, shared.client.key, "server.tls: the private key does not belong"),
            (shared.server.key, shared.server.key, "server.tls: the certificate file"),
        ]
        for (certificate, key, says) in cases {
            try await withTemporaryDirectory { folder in
                let file = folder.appending(path: "presign.yaml")
                let text = """
                    version: 1
                    server: {listen: "127.0.0.1:0", tls: {certificate: \(certificate), key: \(key)}}
                    stores: {main: {bucket: b, region: eu-west-1}}
                    auth: {guest: true}
                    rules: []
                    """
                try Data(text.utf8).write(to: file)
                let environment = ["AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret"]
                for command in [["serve", "--config"], ["check-config"]] {
                    let result = try await Command.run(
                        try #require(PresignProcess.binary), command + [file.path()], environment: environment)
                    #expect(result.status == 78, "\(result)")
                    #expect(result.errors.contains(says), "\(result.errors)")
                }
            }
        }
    }

    @Test("The health check uses TLS, or an address without it") func healthCheck() async throws {
        for clients in [SecureService.Clients.notAsked, .required] {
            try await SecureService.serving(clients) { service in
                let secure = try await service.process.run(
                    ["healthcheck", "--address", "127.0.0.1:\(try service.port)", "--tls"])
                #expect(secure.status == (clients == .required ? 1 : 0), "\(secure)")
                let plain = try await service.process.run(
                    ["healthcheck", "--address", "127.0.0.1:\(try service.port)"])
                #expect(plain.status == 1)
                let other = try #require(try service.process.listening().last)
                #expect(other != service.process.address)
                let without = try await service.process.run(["healthcheck", "--address", other])
                #expect(without.status == 0, "\(without)")
            }
        }
    }
}

extension PresignProcess {
    /// All addresses it listens on.
    fileprivate func listening() throws -> [String] {
        struct Event: Decodable { let address: String }
        return try logged("listening").map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)).address }
    }
}
