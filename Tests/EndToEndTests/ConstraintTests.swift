import Foundation
import Testing

@Suite("Signed upload limits, enforced by real servers", .realParts)
struct ConstraintTests {
    @Test("A create-only URL creates an object and never replaces one", arguments: StorageKind.present)
    func createOnly(kind: StorageKind) async throws {
        try await Scenario.run(on: kind) { scenario in
            let grant = try await scenario.grant("PUT", "once", ["ifNoneMatch": "*"])
            #expect(grant.headers["if-none-match"] == "*")
            #expect(try await grant.send(Data("first".utf8)).status == 200)
            #expect(try await grant.send(Data("second".utf8)).status == 412)
            var careless = grant
            careless.headers["if-none-match"] = nil
            #expect(try await careless.send(Data("third".utf8)).status == 403)
            #expect(try await scenario.get("once").text == "first")
        }
    }

    @Test("A signed length allows only that length", arguments: StorageKind.present, [0, 4, 6])
    func length(kind: StorageKind, other: Int) async throws {
        try await Scenario.run(on: kind) { scenario in
            let grant = try await scenario.grant("PUT", "five", ["contentLength": 5])
            #expect(grant.headers["content-length"] == "5")
            #expect(try await grant.send(Data(repeating: 0x61, count: other)).status == 403)
            #expect(try await scenario.storage.keys(under: scenario.prefix) == [])
            #expect(try await grant.send(Data("12345".utf8)).status == 200)
        }
    }

    @Test("A signed checksum allows only that content", arguments: StorageKind.present)
    func checksum(kind: StorageKind) async throws {
        try await Scenario.run(on: kind) { scenario in
            // FIPS 180-2 appendix B.1: SHA-256 of "abc" in base64.
            let digest = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
            let grant = try await scenario.grant("PUT", "abc", ["checksumSHA256": digest])
            #expect(grant.headers["x-amz-checksum-sha256"] == digest)
            let tampered = try await grant.send(Data("abd".utf8))
            #expect((400...499).contains(tampered.status), "\(tampered.status) \(tampered.text)")
            var careless = grant
            careless.headers["x-amz-checksum-sha256"] = nil
            #expect(try await careless.send(Data("abd".utf8)).status == 403)
            #expect(try await scenario.storage.keys(under: scenario.prefix) == [])
            #expect(try await grant.send(Data("abc".utf8)).status == 200)
        }
    }
}
