import System
import Testing

@testable import CallerAuthentication

@Suite("Clients that may wait for a new key")
struct MissedKeysTests {
    /// A key id that a client sends at a time in seconds, when the last fetch began at another time.
    private typealias Miss = (id: String, client: PeerAddress, at: Int, fetch: Int)

    @Test(
        "A key id waits for one fetch; a client has five waiting key ids",
        arguments: [
            ([("a", .ipv4(1), 1, 0), ("a", .ipv4(1), 2, 0), ("a", .ipv4(1), 29, 0)], [true, true, true]),
            // The fetch at 30 did not find it.
            ([("a", .ipv4(1), 1, 0), ("a", .ipv4(1), 31, 30), ("a", .ipv4(1), 59, 30)], [true, false, false]),
            // It is forgotten later.
            ([("a", .ipv4(1), 1, 0), ("a", .ipv4(1), 100, 90)], [true, true]),
            // Other addresses, and other addresses of an IPv6 network.
            ([("a", .ipv4(1), 1, 0), ("a", .ipv4(2), 31, 30)], [true, true]),
            ([("a", .ipv6(1, 1), 1, 0), ("a", .ipv6(1, 2), 31, 30), ("a", .ipv6(2, 1), 31, 30)], [true, false, true]),
            (
                ["a", "b", "c", "d", "e", "f", "a"].map { ($0, .ipv6(7, UInt64($0.utf8.count)), 1, 0) },
                [true, true, true, true, true, false, true]
            ),
            // The next interval.
            (
                ["a", "b", "c", "d", "e"].map { ($0, .ipv4(1), 1, 0) } + [("f", .ipv4(1), 31, 30)],
                [true, true, true, true, true, true]
            ),
        ] as [([Miss], [Bool])])
    private func waiting(misses: [Miss], expected: [Bool]) {
        let keys = MissedKeys()
        let found = misses.map { miss in
            keys.mayWait(
                for: Array(miss.id.utf8), from: miss.client, at: .seconds(miss.at), sinceFetch: .seconds(miss.fetch))
        }
        #expect(found == expected)
    }

    @Test("Clients by the ten thousand use bounded memory, and forget at most to refuse")
    func full() {
        let keys = MissedKeys()
        for client in 0..<UInt32(10_000) {
            #expect(keys.mayWait(for: [1], from: .ipv4(client), at: .seconds(1), sinceFetch: .zero))
        }
        #expect(keys.clientCount <= 4096)
    }
}
