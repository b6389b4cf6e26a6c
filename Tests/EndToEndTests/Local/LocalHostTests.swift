import Foundation
import TestSupport
import Testing

@Suite(
    "Host names with a local storage",
    .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct LocalHostTests {
    private static func status(_ address: String, as name: String) async throws -> Int {
        let port = try #require(address.split(separator: ":").last)
        return try await Curl.send("GET", "http://\(name):\(port)/healthz", resolve: "\(name):\(port):127.0.0.1").status
    }

    @Test("The service and the storage accept the names of this machine and of `cors.origins`, also after a reload")
    func names() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "presign.yaml")
            func write(_ origins: String) throws {
                let text = """
                    version: 1
                    stores: {local: {bucket: local, region: us-east-1}}
                    cors: {origins: [\(origins)]}
                    rules: [{path: "**", allow: {authenticated: [read]}}]
                    """
                try Data(text.utf8).write(to: file)
            }
            try write("")
            let arguments =
                ["serve", "--config", file.path(), "--local", folder.appending(path: "data").path()]
                + ["--cors-origin", "http://option.example:5173"] + LocalProcess.freePorts
            let server = try await LocalProcess.start(
                in: folder, program: (try #require(PresignProcess.binary), arguments, [:]))
            for name in ["127.0.0.1", "localhost", "app.localhost", "option.example"] {
                #expect(try await Self.status(server.service, as: name) == 200)
                // The request has no signature.
                #expect(try await Self.status(server.storage, as: name) == 403)
            }
            for address in [server.service, server.storage] {
                #expect(try await Self.status(address, as: "dev.example") == 421)
            }
            try write("\"https://dev.example\"")
            kill(server.identifier, SIGHUP)
            #expect(try await eventually { try await Self.status(server.storage, as: "dev.example") != 421 })
            #expect(try await Self.status(server.service, as: "dev.example") == 200)
            #expect(await server.end(SIGTERM) == 0)
        }
    }
}
