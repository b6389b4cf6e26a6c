import Foundation
import SocketTestSupport
import TestSupport
import Testing

extension Loads.Chaos {
    @Suite("Continuous reloads")
    struct ReloadChaos {
        private struct Grant: Decodable { let url: String, expiresIn: Int }

        /// A changed file is read after a second.
        private static let rounds =
            isLongRun ? 200 : 6

        @Test("During reloads under load, each response follows one configuration completely")
        func changes() async throws {
            try await BackgroundPrograms.keeping { background in
                try await Loads.serving(sections: "expires: {default: 1000s}\n") { service in
                    let load = try background.start(
                        "/usr/bin/wrk",
                        Wrk.arguments("http://\(service.address)/presign", key: service.apiKey, connections: 16))
                    let text = try String(contentsOf: service.configuration, encoding: .utf8)
                    let client = try RawClient(port: service.port)
                    for round in 1...Self.rounds {
                        let wanted = round.isMultiple(of: 2) ? 1000 : 2000
                        let changed = text.replacing("1000s", with: "\(wanted)s")
                        try Data(changed.utf8).write(to: service.configuration, options: .atomic)
                        #expect(kill(service.identifier, SIGHUP) == 0)
                        try Self.expect(wanted, client, service)
                    }
                    #expect(try Wrk.report(in: try await load.ended().output).isClean)
                    #expect(try !service.hasLogged("reload-failed"))
                }
            }
        }

        /// Sends requests until the configuration is in use.
        private static func expect(_ wanted: Int, _ client: RawClient, _ service: PresignProcess) throws {
            let deadline = ContinuousClock.now + .seconds(10 * Loads.slowness)
            while ContinuousClock.now < deadline {
                client.send(Loads.Chaos.request(service))
                let response = try #require(try client.response())
                try #require(response.status == 200, "\(response.text)")
                let grant = try JSONDecoder().decode(Grant.self, from: Data(response.body))
                let life = grant.expiresIn
                #expect([1000, 2000].contains(life) && grant.url.contains("X-Amz-Expires=\(life)&"))
                if life == wanted { return }
            }
            Issue.record("the configuration with \(wanted)s was never used")
        }
    }
}
