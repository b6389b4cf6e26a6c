import TestSupport
import Testing

@testable import AccessRules
@testable import CallerAuthentication
@testable import Cryptography

@Suite("Tokens that are remembered")
struct TokenCacheTests {
    private typealias Fixture = TokenFixture

    private static func caller(_ name: String, of groups: Int = 0) -> Caller {
        Caller(scheme: .jwt, identity: name, groups: Array(repeating: "group", count: groups))
    }

    private static func found(_ text: String, in cache: TokenCache, at now: Int64 = 50) -> Caller? {
        let bytes = Array(text.utf8)
        return cache.caller(for: bytes.span, at: .init(of: bytes.span), now)
    }

    private static func insert(_ text: String, in cache: TokenCache, _ caller: Caller = caller("a")) {
        let bytes = Array(text.utf8)
        cache.insert(bytes.span, at: .init(of: bytes.span), caller, 10..<100)
    }

    @Test("exactly the token, exactly while it is valid")
    func exact() {
        let cache = TokenCache()
        let token = String(repeating: "t", count: 100)
        Self.insert(token, in: cache)
        for now: Int64 in [10, 50, 99] { #expect(Self.found(token, in: cache, at: now) == Self.caller("a")) }
        for now: Int64 in [0, 9, 100, 1000] { #expect(Self.found(token, in: cache, at: now) == nil) }
        // The same end, by which a token is looked up.
        for other in ["x" + token.dropFirst(), "t" + token, String(token.dropFirst()), token + "t", ""] {
            #expect(Self.found(other, in: cache) == nil)
        }
        Self.insert(token, in: cache, Self.caller("b"))
        #expect(Self.found(token, in: cache) == Self.caller("b") && cache.extent.count == 1)
    }

    @Test("what it holds is bounded in number and in bytes, and the newest is there")
    func bounded() {
        let cache = TokenCache()
        let filler = String(repeating: "x", count: 40)
        for index in 0..<40_000 { Self.insert("token-\(index)-\(filler)\(index)", in: cache) }
        #expect(cache.extent.count <= 16_384 && cache.extent.count > 8000)
        let large = TokenCache()
        for index in 0..<4000 {
            let text = String(repeating: "y", count: 16_000) + "\(index)"
            Self.insert(text, in: large)
            #expect(Self.found(text, in: large) != nil)
        }
        #expect(large.extent.bytes <= 32 << 20 && large.extent.bytes > 24 << 20)
        Self.insert("a-huge-caller", in: large, Self.caller("h", of: 100_000))
        #expect(Self.found("a-huge-caller", in: large) == nil && large.extent.bytes <= 32 << 20)
    }

    @Test("a verified token is remembered until it expires; one that was refused is not")
    func remembered() throws {
        let verifier = try Fixture.verifier()
        let token = Fixture.token()
        let first = try verifier.caller(token)
        #expect(try verifier.caller(token) === first)
        #expect(try verifier.caller(token, at: Fixture.now + 629) === first)
        #expect(verifier.refusal(token, at: Fixture.now + 630) == .expired)
        // The clock went back: what was valid later is not yet valid.
        #expect(verifier.refusal(token, at: Fixture.now - 91) == .issuedInFuture)
        #expect(try verifier.caller(token, at: Fixture.now - 90) === first)
        let forged = Fixture.token(by: .key(Fixture.other))
        for _ in 0..<2 { #expect(verifier.refusal(forged) == .wrongSignature) }
        // Other claims under the signature of a remembered token.
        let parts = token.split(separator: ".")
        let grafted = Fixture.token(["sub": "\"root\""]).split(separator: ".")[1]
        #expect(verifier.refusal("\(parts[0]).\(grafted).\(parts[2])") == .wrongSignature)
    }

    @Test("new keys forget what the old ones verified")
    func newKeys() throws {
        let token = Fixture.token()
        #expect(try Fixture.verifier().refusal(token) == nil)
        var files = Fixture.files
        files["set.json"] = Fixture.set([Fixture.other.jwk(#","kid":"rsa""#), Fixture.p256.jwk(#","kid":"p""#)])
        #expect(try Fixture.verifier(files: files).refusal(token) == .wrongSignature)
    }
}
