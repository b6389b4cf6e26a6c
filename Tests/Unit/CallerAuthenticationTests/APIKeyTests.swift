import Testing

@testable import CallerAuthentication

@Suite("API keys")
struct APIKeyTests {
    private static let secret = String(repeating: "a_-", count: 14) + "Z"

    @Test("A generated key has a secret of 43 characters, parses back to its id, and is unique")
    func making() throws {
        var seen: Set<String> = []
        for id in ["web", "a_b", "x.y-z", "w_"] {
            let key = try APIKey.generate(id: id)
            #expect(key.utf8.count == "psk_".utf8.count + id.utf8.count + 1 + 43)
            #expect(APIKey.id(in: key.utf8.span).map { Array(key.utf8)[$0].elementsEqual(id.utf8) } == true)
            #expect(seen.insert(key).inserted)
        }
    }

    @Test(
        "Malformed keys are rejected",
        arguments: [
            "", "psk_", "psk__" + secret, "psk_web_" + secret.dropLast(),
            "sk_web_" + secret, "psk_web" + secret, "psk_" + String(repeating: "i", count: 65) + "_" + secret,
        ])
    func refused(text: String) {
        #expect(APIKey.id(in: text.utf8.span) == nil)
    }

    @Test("The stored hash is SHA-256 of the whole key")
    func hash() {
        let stored = APIKey.storedHash(of: Array("abc".utf8))
        #expect(stored == "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }
}
