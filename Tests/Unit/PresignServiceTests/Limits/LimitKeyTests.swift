import Requests
import Testing

@testable import AccessRules
@testable import PresignService
@testable import System

@Suite("Rate limit keys")
struct LimitKeyTests {
    @Test(
        "Addresses of the same network share a bucket",
        arguments: [
            (PeerAddress.ipv4(1), PeerAddress.ipv4(1), true), (.ipv4(1), .ipv4(2), false),
            (.ipv6(1, 2), .ipv6(1, 3), true), (.ipv6(1, 2), .ipv6(2, 2), false), (.ipv4(1), .ipv6(1, 0), false),
            (.unix, .unix, true), (.unix, .ipv4(0), false), (.unix, .ipv6(0, 0), false),
        ])
    func addresses(first: PeerAddress, second: PeerAddress, same: Bool) {
        #expect((LimitKey(first) == LimitKey(second)) == same)
    }

    @Test("Callers are distinguished by scheme and identity")
    func callers() {
        let long = String(repeating: "a", count: 200)
        let callers = [
            Caller(apiKeyID: "a", identity: "x"), Caller(apiKeyID: "b", identity: "x"),
            Caller(apiKeyID: "a", identity: "y"), Caller(scheme: .proxy, identity: "a"),
            Caller(scheme: .jwt, identity: "a"), Caller(scheme: .jwt, identity: nil),
            Caller(scheme: .jwt, identity: long + "1"), Caller(scheme: .jwt, identity: long + "2"),
        ]
        #expect(Set(callers.map { LimitKey($0) }).count == callers.count)
        #expect(LimitKey(Caller(apiKeyID: "a", identity: "x", groups: ["g"])) == LimitKey(callers[0]))
    }
}
