import Requests
import TestSupport
import Testing

@testable import AccessRules
@testable import CallerAuthentication
@testable import Cryptography

@Suite("Token cache")
struct TokenCacheTests {
    private typealias Fixture = TokenFixture

    private static func caller(_ name: String, of groups: Int = 0) -> Caller {
        Caller(scheme: .jwt, identity: name, groups: Array(repeating: "group", count: groups))
    }

    private static func found(_ text: String, in cache: TokenCache, at now: Int64 = 50) -> Caller? {
        cache.caller(for: Array(text.utf8).span, in: nil, at: now)
    }

    private static func insert(_ text: String, in cache: TokenCache, _ caller: Caller = caller("a")) {
        cache.insert(caller, for: Array(text.utf8).span, in: nil, 10..<100)
    }

    @Test("A lookup finds exactly the inserted token, only while it is valid")
    func exact() {
        let cache = TokenCache()
        let token = String(repeating: "t", count: 100)
        Self.insert(token, in: cache)
        for now: Int64 in [10, 50, 99] { #expect(Self.found(token, in: cache, at: now) == Self.caller("a")) }
        for now: Int64 in [0, 9, 100, 1000] { #expect(Self.found(token, in: cache, at: now) == nil) }
        for other in ["x" + token.dropFirst(), "t" + token, String(token.dropFirst()), token + "t", ""] {
            #expect(Self.found(other, in: cache) == nil)
        }
        Self.insert(token, in: cache, Self.caller("b"))
        #expect(Self.found(token, in: cache) == Self.caller("b") && cache.usage.entries == 1)
    }

    @Test("Entries and bytes are bounded, and the newest entry is present")
    func bounded() {
        let cache = TokenCache()
        for index in 0..<40_000 { Self.insert("token-\(index)", in: cache) }
        #expect(cache.usage.entries <= 16_384 && cache.usage.entries > 16_000)
        let large = TokenCache()
        // About 16 KiB per entry.
        let caller = Self.caller("b", of: 225)
        for index in 0..<4000 {
            Self.insert("large-\(index)", in: large, caller)
            #expect(Self.found("large-\(index)", in: large) === caller)
        }
        #expect(large.usage.bytes <= 32 << 20 && large.usage.bytes > 24 << 20)
        Self.insert("a-huge-caller", in: large, Self.caller("h", of: 100_000))
        #expect(Self.found("a-huge-caller", in: large) == nil && large.usage.bytes <= 32 << 20)
    }

    @Test("A flood of short-lived tokens evicts no token that is valid for longer")
    func flood() {
        let cache = TokenCache()
        let bytes = Array("long-lived".utf8)
        cache.insert(Self.caller("a"), for: bytes.span, in: nil, 10..<101)
        for index in 0..<40_000 { Self.insert("token-\(index)", in: cache) }
        #expect(Self.found("long-lived", in: cache) == Self.caller("a"))
    }

    @Test("A verified token is cached until it expires; a rejected one is not cached")
    func remembered() throws {
        let verifier = try Fixture.verifier()
        let token = Fixture.token()
        let first = try verifier.caller(token)
        #expect(try verifier.caller(token) === first)
        #expect(try verifier.caller(token, at: Fixture.now + 629) === first)
        #expect(verifier.refusal(token, at: Fixture.now + 630) == .expired)
        // The clock was set back, so the token is not valid yet.
        #expect(verifier.refusal(token, at: Fixture.now - 91) == .issuedInFuture)
        #expect(try verifier.caller(token, at: Fixture.now - 90) === first)
        let forged = Fixture.token(by: .key(Fixture.other))
        for _ in 0..<2 { #expect(verifier.refusal(forged) == .wrongSignature) }
        // Different claims with the signature of a cached token.
        let parts = token.split(separator: ".")
        let grafted = Fixture.token(["sub": "\"root\""]).split(separator: ".")[1]
        #expect(verifier.refusal("\(parts[0]).\(grafted).\(parts[2])") == .wrongSignature)
    }

    @Test("A token is found only for the header in which it was verified")
    func headers() {
        let cache = TokenCache()
        let (token, name) = (Array("token".utf8), Array("x-token".utf8))
        cache.insert(Self.caller("a"), for: token.span, in: name, 10..<100)
        #expect(cache.caller(for: token.span, in: name, at: 50) == Self.caller("a"))
        for other in [nil, Array("x-other".utf8)] { #expect(cache.caller(for: token.span, in: other, at: 50) == nil) }
    }

    @Test("New keys invalidate tokens that the old keys verified")
    func newKeys() throws {
        let token = Fixture.token()
        #expect(try Fixture.verifier().refusal(token) == nil)
        var files = Fixture.files
        files["set.json"] = Fixture.set([Fixture.other.jwk(#","kid":"rsa""#), Fixture.p256.jwk(#","kid":"p""#)])
        #expect(try Fixture.verifier(files: files).refusal(token) == .wrongSignature)
    }
}
