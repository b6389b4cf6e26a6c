import HTTPServerTestSupport
import Presigning
import Refreshing
import SocketTestSupport
import Synchronization
import System
import TestSupport
import Testing

@testable import CallerAuthentication
@testable import PresignService
@testable import PresignServiceTestSupport

/// A service with one token issuer, `users`, whose keys a test serves or withholds.
private final class FetchedKeyService {
    private final class Provider: Sendable {
        let keySet = Mutex<String?>(nil)
        let seconds = Mutex<Int64>(0)
        var now: ClockReading {
            let seconds = seconds.withLock { $0 }
            return ClockReading(
                wall: SigningTime(secondsSince1970: TestClock.start + seconds), uptime: .seconds(seconds + 1000))
        }
    }

    private let provider = Provider()
    private let pool: IssuerKeyPool
    let service: TestService

    /// - Parameter limits: the section `limits`.
    init(limits: String = "{}") throws {
        pool = IssuerKeyPool(clock: { [provider] in provider.now }) { [provider] source throws(KeyFailure) in
            let failure = KeyFailure(setting: "auth.jwt users", file: "u", reason: "cannot be fetched: x")
            guard let text = provider.keySet.withLock({ $0 }),
                let keys = try? FetchedKeys(Array(text.utf8), nil, from: source)
            else { throw failure }
            return (keys, 600)
        }
        let issuer = #"{name: users, preset: auth0, issuer: "https://set.example/", audience: api}"#
        var sample = SampleConfiguration()
        sample.quotas = limits
        let yaml = sample.yaml.replacing("  apiKeys:", with: "  jwt: [\(issuer)]\n  apiKeys:")
        service = try TestService(yaml, issuerKeys: pool)
    }

    func serve(_ keys: [String]) { provider.keySet.withLock { $0 = TokenFixture.set(keys) } }

    /// Advances the keys' clock; the service's clock stands still.
    func advance(_ seconds: Int64) { provider.seconds.withLock { $0 += seconds } }

    /// Runs a step of the refresh, as `presign serve` does when one is due.
    func refresh() {
        for keys in pool.all where keys.step(chance: { 0 }).hasChanged { service.service.renewSnapshot() }
    }

    func response(
        kid: String, by key: SigningKey, from client: PeerAddress = .ipv4(0x7F00_0001)
    ) throws -> RawResponse {
        let token = TokenFixture.token(
            header: #"{"alg":"RS256","kid":"\#(kid)"}"#,
            ["iat": "\(TestClock.start - 60)", "exp": "\(TestClock.start + 600)"], by: .key(key))
        let connection = service.connect(from: client)
        connection.send(presignRequest(#"{"path":"private/alice/a"}"#, key: nil, ["Authorization: Bearer \(token)"]))
        return try #require(try connection.response())
    }

    func get(_ path: String) throws -> RawResponse {
        try service.exchange("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
    }
}

@Suite("Requests with tokens of an issuer whose keys are fetched")
struct FetchedKeyServiceTests {
    private static let a = TokenFixture.rsa.jwk(#","kid":"a""#)
    private static let b = TokenFixture.other.jwk(#","kid":"b""#)

    @Test("Without keys the issuer's tokens get 503 with Retry-After, and other callers are served")
    func withoutKeys() throws {
        let fixture = try FetchedKeyService()
        let refused = try fixture.response(kid: "a", by: TokenFixture.rsa)
        #expect(refused.status == 503 && refused["retry-after"] == "1" && refused["www-authenticate"] == nil)
        #expect(try refused.problem().code == "issuer-keys-unavailable")
        #expect(fixture.service.logLines().last?.contains("the issuer's keys could not be fetched") == true)
        try verified(try fixture.service.exchange(presignRequest(#"{"path":"public/a"}"#)))
        fixture.serve([Self.a])
        fixture.refresh()
        try verified(try fixture.response(kid: "a", by: TokenFixture.rsa))
    }

    @Test("A token with a new key gets 503 until the keys are fetched again; then it is accepted, or refused for good")
    func rotation() throws {
        let fixture = try FetchedKeyService()
        fixture.serve([Self.a])
        fixture.refresh()
        fixture.advance(60)
        for _ in 0..<3 {
            let waiting = try fixture.response(kid: "b", by: TokenFixture.other)
            #expect(waiting.status == 503 && waiting["retry-after"] == "1")
            try verified(try fixture.response(kid: "a", by: TokenFixture.rsa))
        }
        fixture.serve([Self.a, Self.b])
        fixture.refresh()
        try verified(try fixture.response(kid: "b", by: TokenFixture.other))
        fixture.advance(600)
        fixture.serve([Self.b])
        fixture.refresh()
        // Also a token that was cached.
        #expect(try fixture.response(kid: "a", by: TokenFixture.rsa).status == 503)
        fixture.advance(31)
        fixture.refresh()
        #expect(try fixture.response(kid: "a", by: TokenFixture.rsa).status == 401)
    }

    @Test("Until the next fetch is due, five unknown keys of an address get 503; more are failed authentications")
    func unknownKeys() throws {
        let fixture = try FetchedKeyService(limits: "{failedAuthentications: {rate: 1/h, burst: 2}}")
        func status(_ kid: String, _ client: PeerAddress) throws -> Int {
            try fixture.response(kid: kid, by: TokenFixture.other, from: client).status
        }
        fixture.serve([Self.a])
        fixture.refresh()
        fixture.advance(14)
        let forger = PeerAddress.ipv6(1, 1)
        for number in 0..<5 {
            let waiting = try fixture.response(
                kid: "x\(number)", by: TokenFixture.other, from: .ipv6(1, UInt64(number)))
            #expect(waiting.status == 503 && waiting["retry-after"] == "17")
        }
        #expect(try status("x5", forger) == 401 && status("x6", forger) == 401)
        #expect(try status("x7", forger) == 429)
        // The users behind another address all have the same new key.
        let users = PeerAddress.ipv4(1)
        for _ in 0..<20 { #expect(try status("b", users) == 503) }
        // A known key with a wrong signature never waits.
        #expect(try status("a", users) == 401)
        fixture.serve([Self.a, Self.b])
        fixture.advance(16)
        fixture.refresh()
        try verified(try fixture.response(kid: "b", by: TokenFixture.other, from: users))
    }

    @Test("Readiness waits for the first keys, 10 seconds at most")
    func readiness() throws {
        let served = try FetchedKeyService()
        let waiting = try served.get("/readyz")
        #expect(waiting.status == 503)
        #expect(try waiting.problem().detail == "The keys of a token issuer are being fetched")
        served.serve([Self.a])
        served.refresh()
        #expect(try served.get("/readyz").status == 200)
        let failing = try FetchedKeyService()
        failing.refresh()
        failing.service.advance(by: .seconds(9))
        #expect(try failing.get("/readyz").status == 503)
        failing.service.advance(by: .seconds(1))
        #expect(try failing.get("/readyz").status == 200)
        #expect(try failing.response(kid: "a", by: TokenFixture.rsa).status == 503)
    }

    @Test("Metrics have the number and the age of the keys, and the failures")
    func metrics() throws {
        let fixture = try FetchedKeyService()
        func value(_ name: String) throws -> Double? {
            Exposition(try fixture.get("/metrics").text).value("presign_issuer_keys\(name)", ["issuer": "users"])
        }
        fixture.refresh()
        #expect(try value("") == 0 && value("_age_seconds") == nil && value("_failures_total") == 1)
        fixture.serve([Self.a, Self.b])
        fixture.advance(60)
        fixture.refresh()
        fixture.advance(120)
        #expect(try value("") == 2 && value("_age_seconds") == 120 && value("_failures_total") == 1)
        let file = try TestService()
        let exposition = Exposition(try file.exchange("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n").text)
        #expect(!exposition.samples.contains { $0.name.hasPrefix("presign_issuer_keys") })
    }
}
