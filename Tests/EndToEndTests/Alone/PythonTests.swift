import Foundation
import Testing

extension Alone {
    @Suite("Python clients, well-behaved and hostile", .pythonClients)
    struct Pythons {
        @Test("http.client sends all requests on one connection, including rejected ones")
        func httpClient() async throws {
            try await Loads.serving { service in
                let output = try await Python.run("http_client", [], environment: service.clientEnvironment)
                #expect(output == "30\n")
            }
        }

        @Test(
            "Resets and ends after every byte, split pipelines and unread responses cause no wrong response and no leak"
        )
        func hostileClients() async throws {
            // Clients that read no responses are disconnected after this time; the script does not wait for it.
            try await Loads.serving(server: "timeouts: {write: 2s}") { service in
                let before = try service.descriptors
                var client = try GoodClient(of: service)
                let result = try await BackgroundProgram.run(
                    try #require(Python.interpreter), [Python.script("rough_clients"), "\(Loads.seconds)"],
                    environment: service.clientEnvironment, awaited: true
                ) { script in
                    while script.process.isRunning {
                        try client.ask()
                        try await Task.sleep(for: .milliseconds(20))
                    }
                }
                #expect(result.status == 0, "\(result.errors)")
                try client.expectServed()
                // The well-behaved client is still connected.
                try await service.settles(to: before + 1)
            }
        }
    }
}
