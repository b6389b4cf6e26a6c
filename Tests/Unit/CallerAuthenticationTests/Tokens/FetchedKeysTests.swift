import Presigning
import Refreshing
import Synchronization
import System
import TestSupport
import Testing

@testable import AccessRules
@testable import CallerAuthentication
@testable import HTTPClient

/// An issuer whose keys are fetched, with a scripted endpoint and a clock that a test controls.
private final class RemoteIssuer: Sendable {
    private struct State {
        var seconds: Int64 = 0
        var keySet: String? = TokenFixture.set([TokenFixture.rsa.jwk(#","kid":"a""#)])
        var fetches = 0
    }

    private let state = Mutex(State())
    let source: CurrentIssuerKeys
    private let configuration: TokenIssuerConfiguration
    private let current: Mutex<TokenVerifier>

    init(maxStale: String = "24h") throws {
        let yaml = """
            - {name: users, issuer: "https://set.example/", audience: api, algorithms: [RS256], \
            jwks: "https://set.example/keys", maxStale: \(maxStale)}
            """
        guard let configuration = try TokenFixture.configuration(yaml).first, let remote = configuration.keySource
        else {
            throw TokenFixture.Missing()
        }
        let state = Weak()
        let fetch: IssuerKeySource.Fetch = { _ throws(KeyFailure) in
            guard let keySet = state.fetch() else {
                throw KeyFailure(setting: "auth.jwt users", file: "u", reason: "cannot be fetched: x")
            }
            do throws(KeySetFailure) {
                return (try FetchedKeys(Array(keySet.utf8), nil, from: remote), nil)
            } catch {
                throw KeyFailure(setting: "auth.jwt users", file: "u", reason: error.reason)
            }
        }
        source = try IssuerKeyPool(clock: { state.now }, fetch: fetch).value(of: remote)
        self.configuration = configuration
        current = Mutex(TokenVerifier([TokenIssuer(configuration, from: source)]))
        state.owner.withLock { $0 = self }
    }

    /// Breaks the cycle between the issuer and its closures.
    private final class Weak: Sendable {
        let owner = Mutex<RemoteIssuer?>(nil)
        var now: ClockReading { owner.withLock { $0 }?.now ?? RemoteIssuer.reading(0) }
        func fetch() -> String? {
            owner.withLock { $0 }?.state.withLock { state in
                state.fetches += 1
                return state.keySet
            }
        }
    }

    private static func reading(_ seconds: Int64) -> ClockReading {
        ClockReading(
            wall: SigningTime(secondsSince1970: TokenFixture.now + seconds), uptime: .seconds(seconds + 1000))
    }

    var now: ClockReading { Self.reading(state.withLock { $0.seconds }) }
    var fetches: Int { state.withLock { $0.fetches } }
    /// When the next fetch is due, in seconds.
    var secondsToFetch: Double? { source.reschedule { $0.secondsToRefresh(at: $1) } }

    func advance(_ seconds: Int64) { state.withLock { $0.seconds += seconds } }

    /// Serves a set of keys from now on; nil fails.
    func serve(_ keySet: String?) { state.withLock { $0.keySet = keySet } }

    /// Runs a step as the refresher does.
    @discardableResult
    func step() -> CurrentIssuerKeys.Step {
        let step = source.step(chance: { 0 })
        if step.hasChanged { current.withLock { $0 = $0.withCurrentKeys() } }
        return step
    }

    /// A token with this key id that is valid now.
    func token(_ kid: String, by key: SigningKey, exp: Int64 = 600) -> String {
        let seconds = TokenFixture.now + state.withLock { $0.seconds }
        return TokenFixture.token(
            header: #"{"alg":"RS256","kid":"\#(kid)"}"#, ["iat": "\(seconds)", "exp": "\(seconds + exp)"], by: .key(key)
        )
    }

    func refusal(_ token: String, from client: PeerAddress = .unix) -> TokenRefusal? {
        current.withLock { $0 }.refusal(token, from: client, at: TokenFixture.now + state.withLock { $0.seconds })
    }
}

@Suite("Tokens of an issuer whose keys are fetched")
struct FetchedKeysTests {
    private typealias Fixture = TokenFixture
    private static let first = Fixture.set([Fixture.rsa.jwk(#","kid":"a""#)])
    private static let both = Fixture.set([Fixture.rsa.jwk(#","kid":"a""#), Fixture.other.jwk(#","kid":"b""#)])
    private static let second = Fixture.set([Fixture.other.jwk(#","kid":"b""#)])

    @Test("Before the first set, tokens are not refused for good; with it they are accepted")
    func firstSet() throws {
        let issuer = try RemoteIssuer()
        #expect(issuer.refusal(issuer.token("a", by: Fixture.rsa)) == .noKeys(retryAfter: 1))
        let step = issuer.step()
        #expect(step.hasChanged && step.pause == .seconds(10))
        guard case .renewed(let keys, replacing: let old) = step.event else { throw Fixture.Missing() }
        #expect(keys.keyIDs == ["a"] && old == nil)
        #expect(issuer.refusal(issuer.token("a", by: Fixture.rsa)) == nil)
        #expect(issuer.source.age == 0 && issuer.source.value?.keyIDs.count == 1)
    }

    @Test("After a rotation, a token with the new key waits for one fetch; a removed key is refused, even if cached")
    func rotation() throws {
        let issuer = try RemoteIssuer()
        issuer.step()
        let old = issuer.token("a", by: Fixture.rsa)
        #expect(issuer.refusal(old) == nil)
        issuer.serve(Self.both)
        issuer.advance(40)
        let new = issuer.token("b", by: Fixture.other)
        for _ in 0..<5 { #expect(issuer.refusal(new) == .newKey(retryAfter: 1)) }
        #expect(issuer.secondsToFetch ?? 1 <= 0 && issuer.fetches == 1)
        #expect(issuer.step().hasChanged && issuer.fetches == 2)
        #expect(issuer.refusal(new) == nil && issuer.refusal(old) == nil)
        issuer.serve(Self.second)
        issuer.advance(3000)
        #expect(issuer.step().hasChanged)
        let removed = issuer.token("a", by: Fixture.rsa)
        #expect(issuer.refusal(removed) == .newKey(retryAfter: 31))
        #expect(issuer.refusal(old) != nil)
        issuer.advance(31)
        issuer.step()
        #expect(issuer.refusal(removed) == .unknownKey && issuer.refusal(old) != nil)
    }

    @Test("An unknown key id is refused for good once the set is newer than the question")
    func unknown() throws {
        let issuer = try RemoteIssuer()
        issuer.step()
        let unknown = issuer.token("x", by: Fixture.other)
        issuer.advance(60)
        #expect(issuer.refusal(unknown) == .newKey(retryAfter: 1))
        #expect(!issuer.step().hasChanged && issuer.fetches == 2)
        issuer.advance(1)
        #expect(issuer.refusal(unknown) == .unknownKey)
    }

    @Test("A key that is published right after a fetch is accepted after the next one; until then its tokens wait")
    func publishedAfterFetch() throws {
        let issuer = try RemoteIssuer()
        issuer.step()
        issuer.serve(Self.both)
        issuer.advance(14)
        let new = issuer.token("b", by: Fixture.other)
        for _ in 0..<20 { #expect(issuer.refusal(new) == .newKey(retryAfter: 17)) }
        #expect(issuer.secondsToFetch == 16 && !issuer.step().hasChanged && issuer.fetches == 1)
        issuer.advance(16)
        #expect(issuer.step().hasChanged && issuer.fetches == 2)
        #expect(issuer.refusal(new) == nil)
        issuer.advance(1)
        #expect(issuer.refusal(issuer.token("b", by: Fixture.rsa)) == .wrongSignature)
    }

    @Test("A client has five waiting key ids at a time; each waits for one fetch only, whichever clients ask")
    func limit() throws {
        let issuer = try RemoteIssuer()
        issuer.step()
        issuer.advance(1)
        for round in 0..<3 {
            for number in 0..<5 {
                let token = issuer.token("\(round)-\(number)", by: Fixture.other)
                #expect(issuer.refusal(token, from: .ipv4(1)) == .newKey(retryAfter: 30))
            }
            let sixth = issuer.token("\(round)-5", by: Fixture.other)
            #expect(issuer.refusal(sixth, from: .ipv4(1)) == .unknownKey)
            #expect(issuer.refusal(sixth, from: .ipv4(2)) == .newKey(retryAfter: 30))
            #expect(issuer.refusal(issuer.token("\(round)-0", by: Fixture.rsa), from: .ipv4(1)) != .unknownKey)
            issuer.advance(29)
            issuer.step()
            issuer.advance(1)
            for number in 0..<5 {
                let token = issuer.token("\(round)-\(number)", by: Fixture.other)
                #expect(issuer.refusal(token, from: .ipv4(1)) == .unknownKey)
            }
        }
        #expect(issuer.fetches == 4)
    }

    @Test(
        "A failed or unusable response keeps the last set",
        arguments: [
            nil, "", "{}", "[]", #"{"keys":[]}"#, #"{"keys":{}}"#, "<html>", #"{"keys":[{"kty":"oct","k":"AAAA"}]}"#,
            #"{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB","kid":"a"}]}"#, #"{"keys":[{"kty":"RSA","d":"AQ"}]}"#,
            #"{"keys":[],"keys":[]}"#, "{\"keys\":[" + String(repeating: "1,", count: 100) + "1]}",
        ] as [String?])
    func failures(response: String?) throws {
        let issuer = try RemoteIssuer()
        issuer.step()
        issuer.serve(response)
        issuer.advance(3000)
        let step = issuer.step()
        guard case .failed(_, isUsable: true) = step.event else { throw Fixture.Missing() }
        #expect(!step.hasChanged && step.pause == .seconds(1))
        #expect(issuer.refusal(issuer.token("a", by: Fixture.rsa)) == nil)
        #expect(issuer.source.failures == 1 && issuer.source.age == 3000)
        issuer.serve(Self.first)
        issuer.advance(1)
        guard case .renewed = issuer.step().event else { throw Fixture.Missing() }
    }

    @Test("The last set is used until maxStale; then tokens wait for keys again")
    func stale() throws {
        let issuer = try RemoteIssuer(maxStale: "1h")
        issuer.step()
        issuer.serve(nil)
        issuer.advance(3599)
        #expect(!issuer.step().hasChanged)
        #expect(issuer.refusal(issuer.token("a", by: Fixture.rsa)) == nil)
        issuer.advance(1)
        #expect(issuer.step().hasChanged)
        guard case .noKeys = issuer.refusal(issuer.token("a", by: Fixture.rsa)) else { throw Fixture.Missing() }
        #expect(issuer.source.value == nil)
        issuer.serve(Self.first)
        issuer.advance(60)
        #expect(issuer.step().hasChanged)
        #expect(issuer.refusal(issuer.token("a", by: Fixture.rsa)) == nil)
    }

    @Test("Hostile tokens stay refused before, during and after a rotation")
    func hostile() throws {
        let issuer = try RemoteIssuer()
        let forger = SigningKey(.rsa(bits: 2048))
        let publicKey = Array(pem("PUBLIC KEY", Fixture.rsa.publicDER).utf8)
        func check(_ phase: String) {
            let good = issuer.token("a", by: Fixture.rsa)
            let parts = good.split(separator: ".")
            let tokens = [
                issuer.token("a", by: forger), issuer.token("b", by: forger), issuer.token("a", by: Fixture.p256),
                issuer.token("a", by: Fixture.rsa, exp: -60), issuer.token("", by: Fixture.rsa),
                Fixture.token("HS256", header: #"{"alg":"HS256","kid":"a"}"#, by: .secret(publicKey)),
                Fixture.token(header: #"{"alg":"none","kid":"a"}"#),
                Fixture.token(header: #"{"alg":"RS256"}"#, by: .key(forger)),
                Fixture.token(header: #"{"alg":"RS256","kid":"a","jwk":\#(forger.jwk())}"#, by: .key(forger)),
                Fixture.token(header: #"{"alg":"RS256","kid":"a","jku":"https://evil.example/"}"#, by: .key(forger)),
                Fixture.token(header: #"{"alg":"RS256","kid":"a"}"#, iss: "https://evil.example/"),
                parts.dropLast().joined(separator: ".") + ".", good + "A",
            ]
            for token in tokens { #expect(issuer.refusal(token) != nil, "\(phase): \(token)") }
        }
        check("before the first set")
        issuer.step()
        check("with the first set")
        issuer.advance(60)
        issuer.serve(Self.both)
        _ = issuer.refusal(issuer.token("b", by: Fixture.other))
        check("during the rotation")
        issuer.step()
        check("after the rotation")
        issuer.serve(nil)
        issuer.advance(90_000)
        issuer.step()
        check("when the set is too old")
    }
}
