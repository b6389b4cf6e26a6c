import Foundation
import Testing

@Suite("Unusual keys on real servers", .realParts)
struct KeyTests {
    /// Keys that clients, proxies or signers often get wrong, as the bucket must list them.
    static let keys = [
        "a b  c.txt", "plus+plus", "100%", "a%20b", "a%2Fb", "caf\u{e9}", "cafe\u{301}", "日本/語", "😀.png",
        "f(1)", "it's", "\"quoted\"", "!*'();:@&=+$,?#[]", "~tilde-_.", "a&amp;b<c>", "{}|^`", "x=1&X-Amz-Expires=9",
        "deep/er/and/deeper", String(repeating: "l", count: 200),
    ]

    @Test(
        "An object is stored under exactly the requested key and can be read back", arguments: StorageKind.present, keys
    )
    func stored(kind: StorageKind, key: String) async throws {
        try await Scenario.run(on: kind) { scenario in
            let grant = try await scenario.grant("PUT", key)
            #expect(Array(grant.key.utf8) == Array((scenario.prefix + key).utf8))
            let uploaded = try await grant.send(Data(key.utf8))
            #expect(uploaded.status == 200, "\(uploaded.text)")
            let listed = try await scenario.storage.keys(under: scenario.prefix).map { Array($0.utf8) }
            #expect(listed == [Array((scenario.prefix + key).utf8)])
            #expect(try await scenario.get(key).body == Data(key.utf8))
        }
    }

    @Test("Composed and decomposed letters name two different objects", arguments: StorageKind.present)
    func normalForms(kind: StorageKind) async throws {
        try await Scenario.run(on: kind) { scenario in
            try await scenario.put("composed", at: "caf\u{e9}")
            try await scenario.put("decomposed", at: "cafe\u{301}")
            #expect(try await scenario.get("caf\u{e9}").text == "composed")
            #expect(try await scenario.get("cafe\u{301}").text == "decomposed")
            #expect(try await scenario.storage.keys(under: scenario.prefix).count == 2)
        }
    }
}
