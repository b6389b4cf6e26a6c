import Foundation
import TestSupport
import Testing

@Suite(
    "Configuration reload with a local storage",
    .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct LocalReloadTests {
    @Test("Changed limits of existence checks, and of batches with them, wait for a restart")
    func bounds() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "presign.yaml")
            func write(_ maximum: Int, _ action: String) throws {
                let text = """
                    version: 1
                    stores: {local: {bucket: local, region: us-east-1}}
                    rules: [{path: "**", allow: {authenticated: [\(action)]}}]
                    existence: {maximumInFlight: \(maximum), maximumQueued: 4}
                    """
                try Data(text.utf8).write(to: file)
            }
            try write(4, "read, write")
            let arguments = ["serve", "--config", file.path(), "--local", folder.appending(path: "data").path()]
            let server = try await LocalProcess.start(
                in: folder, program: (try #require(PresignProcess.binary), arguments + LocalProcess.freePorts, [:]))
            func send(_ path: String, _ body: String) async throws -> String {
                try await HTTP.send(
                    "POST", "http://\(server.service)\(path)",
                    headers: ["X-API-Key": try server.apiKey, "Content-Type": "application/json"], body: Data(body.utf8)
                ).text
            }
            try write(1000, "read")
            kill(server.identifier, SIGHUP)
            #expect(
                try await eventually {
                    try await send("/presign", #"{"path":"a","method":"PUT"}"#).contains("forbidden")
                })
            let items = (0..<100).map { #"{"path":"a/\#($0)","validateObjectExistence":true}"# }
            let response = try await send("/presign/batch", #"{"requests":[\#(items.joined(separator: ","))]}"#)
            #expect(response.ranges(of: #""code":"key-not-found""#).count == 100)
            #expect(!response.contains("overloaded"))
            #expect(await server.end(SIGTERM) == 0)
        }
    }
}
