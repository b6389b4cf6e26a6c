import SocketTestSupport
import Testing

@testable import PresignService
@testable import System

@Suite("TLS files")
struct TLSFileTests {
    private static func parsed(_ server: String, _ auth: String = "guest: true") throws -> ServiceConfiguration {
        let text = """
            version: 1
            server: {listen: ["127.0.0.1:8443", "unix:/run/s"], \(server)}
            stores: {media: {bucket: acme, region: eu-west-1}}
            auth: {\(auth)}
            rules: [{path: "**", allow: {everyone: [get]}}]
            """
        return try ServiceConfiguration(parsing: Array(text.utf8), file: "c.yaml")
    }

    @Test("Changed content changes the digest; an unreadable file is reported with its setting") func loading() throws {
        let shared = try TestCertificates.shared
        let settings = try #require(try Self.parsed("tls: {certificate: c, key: k, clients: {ca: a}}").tls)
        let paths = [
            "c": shared.server.certificate, "k": shared.server.key, "a": shared.clients.certificate,
        ]
        let read: (String) throws -> [UInt8] = { try bytes(of: paths[$0] ?? "") }
        let first = try settings.loaded(read: read)
        #expect(try settings.loaded(read: read).digest == first.digest)
        #expect(try settings.loaded { try read($0) + ($0 == "a" ? [0x0A] : []) }.acceptance != first.acceptance)
        for (name, setting) in [
            ("c", "server.tls.certificate"), ("k", "server.tls.key"), ("a", "server.tls.clients.ca"),
        ] {
            let failure = #expect(throws: TLSFileFailure.self) {
                try settings.loaded { file in
                    guard file != name else { throw POSIXFailure() }
                    return try read(file)
                }
            }
            #expect(failure?.description == "\(setting): gone")
        }
    }

    private struct POSIXFailure: Error, CustomStringConvertible { let description = "gone" }
}
