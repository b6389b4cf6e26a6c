import Foundation
import Testing

extension Engine.Chaos {
    @Suite("SIGTERM while the service starts")
    struct EarlyStops {
        @Test("Two hundred starts, at every moment of which SIGTERM comes: from main on each ends well, at once")
        func everyMoment() async throws {
            try await withTemporaryDirectory { folder in
                let configuration = folder.appending(path: "presign.yaml")
                let text = """
                    version: 1
                    server: {listen: ["127.0.0.1:0"]}
                    stores: {main: {bucket: b, region: us-east-1, credentials: environment}}
                    auth: {guest: true}
                    rules: [{path: "**", allow: {everyone: [read]}}]
                    """
                try Data(text.utf8).write(to: configuration)
                // A debug build takes longer to come to its main.
                let span = 40 * Engine.slowness
                let result = try await Command.run(
                    "/usr/bin/env",
                    [
                        "python3", Python.script("early_stop"), "200", "\(span)", "\(Engine.slowness)",
                        try #require(PresignProcess.binary), "serve", "--config", configuration.path(),
                    ],
                    environment: ["AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "x"])
                #expect(result.status == 0, "\(result.errors)")
                let waited = try #require(Int(result.output.prefix { $0.isNumber }))
                #expect(waited >= 50, "\(result.output)")
            }
        }
    }
}
