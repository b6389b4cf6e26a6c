import Foundation
import Testing

@Suite("Existence checks before download URLs, on real servers", .realParts)
struct ExistenceTests {
    struct ProblemDetails: Decodable { let status: Int, code: String, detail: String }

    @Test("An existing object gets a URL, a missing one 404", arguments: StorageKind.present)
    func presence(kind: StorageKind) async throws {
        try await Scenario.run(on: kind) { scenario in
            let check: [String: any Sendable] = ["validateObjectExistence": true]
            let missing = try await scenario.ask("GET", "résumé (1).txt", check)
            #expect(missing.status == 404, "\(missing.text)")
            let problem = try JSONDecoder().decode(ProblemDetails.self, from: missing.body)
            #expect(problem.code == "key-not-found")
            try await scenario.put("here", at: "résumé (1).txt")
            #expect(try await scenario.grant("GET", "résumé (1).txt", check).send().text == "here")
        }
    }

    @Test(
        "Without the option a missing object gets a URL, and an upload is never checked", arguments: StorageKind.present
    )
    func unchecked(kind: StorageKind) async throws {
        try await Scenario.run(on: kind) { scenario in
            #expect(try await scenario.get("missing").status == 404)
            try await scenario.put("new", at: "new", ["validateObjectExistence": true])
        }
    }

    @Test("A server that rejects our credentials causes a 502, not a 404", arguments: StorageKind.present)
    func refusedCredentials(kind: StorageKind) async throws {
        let wrong = try kind.server.credentials.merging(["AWS_SECRET_ACCESS_KEY": "wrong"]) { _, new in new }
        try await Scenario.run(on: kind, environment: wrong) { scenario in
            let response = try await scenario.ask("GET", "a", ["validateObjectExistence": true])
            #expect(response.status == 502, "\(response.text)")
            // The caller must see neither the URL nor its signature.
            #expect(!response.text.contains("X-Amz-"))
        }
    }

    @Test("An unreachable server causes a 502 only for checks", arguments: StorageKind.present)
    func down(kind: StorageKind) async throws {
        try await Scenario.run(on: kind, store: ["endpoint": "http://127.0.0.1:1"]) { scenario in
            let asked = try await scenario.ask("GET", "a", ["validateObjectExistence": true])
            #expect(asked.status == 502, "\(asked.text)")
            let unasked = try await scenario.ask("GET", "a")
            #expect(unasked.status == 200, "\(unasked.text)")
        }
    }

    @Test("The check uses the internal endpoint while URLs name the public one", arguments: StorageKind.present)
    func publicEndpoint(kind: StorageKind) async throws {
        let port = try #require(URL(string: try kind.server.setting("ENDPOINT"))?.port)
        let address = "http://localhost:\(port)"
        try await Scenario.run(on: kind, store: ["publicEndpoint": address]) { scenario in
            try await scenario.put("public", at: "a")
            let grant = try await scenario.grant("GET", "a", ["validateObjectExistence": true])
            #expect(grant.url.hasPrefix(address + "/"))
            #expect(try await grant.send().text == "public")
        }
    }
}
