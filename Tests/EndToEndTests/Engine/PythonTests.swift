import Foundation
import Testing

extension Engine {
    @Suite("Python's clients, well-behaved and not", .pythonClients)
    struct Pythons {
        @Test("http.client carries everything over one connection, refusals included")
        func httpClient() async throws {
            try await Engine.serving { service in
                let output = try await Python.run("http_client", [], environment: service.clientEnvironment)
                #expect(output == "30\n")
            }
        }

        @Test(
            "Resets and ends after every byte, pipelines in pieces, answers unread: none is wrong, nothing is left"
        )
        func rough() async throws {
            // Whoever takes no answers is let go after this time; the script does not wait for it.
            try await Engine.serving(server: "timeouts: {write: 2s}") { service in
                let before = try service.descriptors
                var client = try GoodClient(of: service)
                let result = try await Neighbour.run(
                    try #require(Python.interpreter), [Python.script("rough_clients"), "\(Engine.seconds)"],
                    environment: service.clientEnvironment, awaited: true
                ) { script in
                    while script.process.isRunning {
                        try client.ask()
                        try await Task.sleep(for: .milliseconds(20))
                    }
                }
                #expect(result.status == 0, "\(result.errors)")
                try client.expectServed()
                // The good client still has one.
                try await service.settles(to: before + 1)
            }
        }
    }
}
