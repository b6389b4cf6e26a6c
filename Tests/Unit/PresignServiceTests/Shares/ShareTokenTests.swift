import Foundation
import Requests
import TestSupport
import Testing
import Text

@testable import AccessRules
@testable import CallerAuthentication
@testable import HTTP1
@testable import PresignService
@testable import Presigning

@Suite("Tokens of share links")
struct ShareTokenTests {
    /// The number of random changes: a million with PRESIGN_E2E_LONG, as in `Tests/run.sh --long`.
    private static let changes = isLongRun ? 1_000_000 : 20_000
    private static let start = SigningTime(secondsSince1970: 1_800_000_000)

    private static func key(_ id: String, _ letter: String) throws -> ShareKey {
        try #require(ShareKey(id: id, Array(("pshk_" + String(repeating: letter, count: 42) + "A").utf8)))
    }

    private static func share(_ path: String = "docs/a", by minter: Caller = web) -> Share {
        Share(of: Array(path.utf8), in: "media", by: minter, from: start, until: start.advanced(bySeconds: 7_776_000))
    }

    private static func token(of share: Share, with key: ShareKey) throws -> ShareToken {
        let token = try ShareToken(sealing: share, with: key)
        return try #require(token)
    }

    private static func bytes(of token: ShareToken) throws -> [UInt8] {
        let text = Array(token.text.utf8)
        let bytes = Base64.decode(text.span, .url)
        return try #require(bytes)
    }

    private static let web = Caller(apiKeyID: "web", identity: nil)

    private static func token(subject: String?, identity: String?, groups: [String], claims: [Caller.Claim] = [])
        -> Caller
    {
        Caller(
            token: .init(
                issuerName: "auth0", issuer: [], subject: subject.map { Array($0.utf8) }, keyID: nil, tokenID: nil,
                expiry: 0),
            identity: identity.map { Array($0.utf8) }, groups: groups.map { Array($0.utf8) }, claims: claims,
            isGuest: false)
    }

    static let minters = [
        web, token(subject: "alice", identity: "alice", groups: []),
        token(subject: "a/b", identity: nil, groups: ["x", ""]), token(subject: nil, identity: "bob", groups: ["y"]),
        token(
            subject: "carol", identity: "c", groups: ["1", "2", "3"],
            claims: [.init(name: "tenant", value: "acme"), .init(name: "é", value: "")]),
        Caller(proxied: Array("dave".utf8), groups: [Array("staff".utf8)]),
        Caller(certificate: Array("svc.local".utf8)),
    ]

    @Test("Everything that a link holds is read as it was written", arguments: minters)
    func roundTrip(minter: Caller) throws {
        var share = Self.share("docs/\(String(repeating: "é", count: 100))", by: minter)
        for isUpload in [false, true] {
            share.isUpload = isUpload
            (share.types, share.maximumSize) = isUpload ? (MediaRange("image/*"), 5_497_558_138_880) : (nil, nil)
            share.keepsExisting = isUpload
            let read = try #require(Share(decoding: share.encoded))
            #expect(read.path == share.path && read.store == share.store && read.minter == share.minter)
            #expect(read.created == share.created && read.expires == share.expires)
            #expect(read.isUpload == share.isUpload && read.keepsExisting == share.keepsExisting)
            #expect(read.types == share.types && read.maximumSize == share.maximumSize)
        }
    }

    @Test("A shorter, a longer and a flagged form is not read", arguments: minters)
    func strict(minter: Caller) {
        let encoded = Self.share(by: minter).encoded
        for count in encoded.indices { #expect(Share(decoding: Array(encoded.prefix(count))) == nil) }
        #expect(Share(decoding: encoded + [0]) == nil)
        #expect(Share(decoding: [encoded[0] | 0x10] + encoded.dropFirst()) == nil)
    }

    @Test("A token has at most 160 characters for an API key, and 300 with a subject and groups")
    func length() throws {
        let key = try Self.key("2026-11", "A")
        let path = String(repeating: "p", count: 40)
        let bot = Caller(apiKeyID: "upload-bot", identity: nil)
        let short = try Self.token(of: Self.share(path, by: bot), with: key)
        #expect(short.text.utf8.count <= 160)
        let user = Self.token(
            subject: "auth0|507f1f77bcf86cd799439011", identity: "auth0|507f1f77bcf86cd799439011",
            groups: ["editors", "administrators", "marketing", "eu-west"])
        let long = try Self.token(of: Self.share(path, by: user), with: key)
        #expect(long.text.utf8.count <= 300)
    }

    @Test("Two tokens of one share differ, and neither contains what it holds")
    func opaque() throws {
        let key = try Self.key("k1", "A")
        let tokens = try (0..<2).map { _ in try Self.token(of: Self.share("docs/secret"), with: key) }
        #expect(tokens[0].text != tokens[1].text && tokens[0].id != tokens[1].id)
        for token in tokens {
            let bytes = try Self.bytes(of: token)
            for text in ["docs", "secret", "media", "web"] { #expect(bytes.firstRange(of: Array(text.utf8)) == nil) }
            #expect(String(decoding: token.id, as: UTF8.self).utf8.count == 16)
        }
    }

    @Test("Only the key that sealed a token opens it, under its own id")
    func keys() throws {
        let (first, second) = (try Self.key("k1", "A"), try Self.key("k2", "B"))
        let text = try Self.token(of: Self.share(), with: first).text
        let token = try #require(ShareToken(Array(text.utf8)[...]))
        #expect(token.keyID.elementsEqual("k1".utf8))
        #expect(token.share(openedWith: first)?.path == Array("docs/a".utf8))
        #expect(token.share(openedWith: second) == nil)
        #expect(token.share(openedWith: try Self.key("k1", "B")) == nil)
    }

    @Test("A truncated token, and parts of two tokens together, are not opened")
    func parts() throws {
        let key = try Self.key("k1", "A")
        let texts = try ["docs/a", "docs/b"].map { path in
            try Self.bytes(of: try Self.token(of: Self.share(path), with: key))
        }
        let opens = { (bytes: [UInt8]) in
            ShareToken(Array(Base64.encode(bytes, .url).utf8)[...])?.share(openedWith: key) != nil
        }
        #expect(opens(texts[0]) && opens(texts[1]))
        for count in 0..<texts[0].count { #expect(!opens(Array(texts[0].prefix(count)))) }
        // The first bytes, up to the nonce, are the same: swaps nonces, then ciphertexts, then tags.
        for (start, end) in [(4, 16), (16, texts[0].count - 16), (texts[0].count - 16, texts[0].count)] {
            var swapped = texts[0]
            swapped.replaceSubrange(start..<end, with: texts[1][start..<end])
            #expect(!opens(swapped))
        }
    }

    @Test("No random change of a token is accepted")
    func mutations() throws {
        let key = try Self.key("k1", "A")
        let valid = Array(try Self.token(of: Self.share(), with: key).text.utf8)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var random = SeededGenerator(seed: 43)
        var (accepted, decoded) = (0, 0)
        for _ in 0..<Self.changes {
            var text = valid
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let index = Int.random(in: 0..<text.count, using: &random)
                switch Int.random(in: 0..<8, using: &random) {
                case 0: text.remove(at: index)
                case 1: text.insert(alphabet[Int.random(in: 0..<64, using: &random)], at: index)
                case 2: text.swapAt(index, Int.random(in: 0..<text.count, using: &random))
                default: text[index] = alphabet[Int.random(in: 0..<64, using: &random)]
                }
            }
            guard text != valid, let token = ShareToken(text[...]) else { continue }
            decoded += 1
            if token.share(openedWith: key) != nil { accepted += 1 }
        }
        #expect(accepted == 0)
        // Most changes must get past the encoding, or this would test little.
        #expect(decoded > Self.changes / 2, "\(decoded)")
        #expect(ShareToken(valid[...])?.share(openedWith: key) != nil)
    }

    @Test(
        "Only 32 bytes in base64url after the prefix are a key",
        arguments: [
            "", "pshk_", "pshk_" + String(repeating: "A", count: 42), "pshk_" + String(repeating: "A", count: 44),
            String(repeating: "A", count: 43), "psk_web_" + String(repeating: "A", count: 43),
            "pshk_" + String(repeating: "A", count: 42) + "B", " pshk_" + String(repeating: "A", count: 43),
        ])
    func malformedKey(text: String) { #expect(ShareKey(id: "k", Array(text.utf8)) == nil) }

    @Test("A generated key is one")
    func generatedKey() throws {
        let texts = try (0..<2).map { _ in try ShareKey.generate() }
        #expect(texts[0] != texts[1])
        for text in texts { #expect(ShareKey(id: "k", Array("\(text)\n".utf8)) != nil) }
    }
}
