import Refreshing
import System

/// The unknown key ids of each client, with the times of their first tokens.
///
/// A key can be younger than the fetched set, so its token waits for the next fetch. It waits for one fetch only, and a
/// client has at most five waiting key ids, so the tokens of an attacker soon count as failed authentications.
final class MissedKeys: Sendable {
    /// The most key ids of a client that wait for the same fetch.
    static let limit = 5
    /// The minimum time in seconds between a fetch and the next one for an unknown key id.
    static let interval = 30.0

    /// A full table forgets a client, which then waits once more.
    private let clients = BoundedTable<LimitKey, Misses>(capacity: 4096)

    /// The number of clients in memory.
    var clientCount: Int { clients.usage.entries }

    /// Whether a token may wait for the next fetch.
    ///
    /// - Parameters:
    ///   - id: The unknown key id.
    ///   - client: The address that sent the token.
    ///   - now: The uptime.
    ///   - fetch: The uptime at which the last fetch began.
    func mayWait(for id: [UInt8]?, from client: PeerAddress, at now: Duration, sinceFetch fetch: Duration) -> Bool {
        var hasher = Hasher()
        hasher.combine(id)
        let key = LimitKey(hasher)
        return clients.update(LimitKey(client), initial: Misses()) {
            $0.mayWait(for: key, at: now, sinceFetch: fetch)
        }
    }
}

/// The unknown key ids of one client.
private struct Misses: Expiring {
    /// Longer than a key id waits for a fetch, plus the time in which the fetched set is new.
    private static let lifetime = Duration.seconds(90)

    private var times: [LimitKey: Duration] = [:]

    var expiry: Int64 { times.values.max()?.components.seconds ?? 0 }
    var byteCount: Int { 0 }

    mutating func mayWait(for id: LimitKey, at now: Duration, sinceFetch fetch: Duration) -> Bool {
        times = times.filter { now - $0.value < Self.lifetime }
        if let first = times[id] { return first > fetch }
        guard times.values.count(where: { $0 > fetch }) < MissedKeys.limit else { return false }
        times[id] = now
        return true
    }
}

extension RefreshSchedule {
    /// Decides about a token with a key id that the current set lacks, and makes a fetch due if that can help.
    ///
    /// - Parameter mayWait: Whether the token may wait for the next fetch although the set is new; see `MissedKeys`.
    /// - Returns: After how many seconds the token should be sent again; nil if it is refused for good.
    mutating func missedKey(at now: ClockReading, mayWait: Bool) -> Int? {
        if !isRefreshing {
            let isNew = failures == 0 && age(at: now).map { $0 < MissedKeys.interval } ?? false
            if isNew, !mayWait { return nil }
            want(after: MissedKeys.interval)
        }
        return secondsToValue(at: now)
    }
}

extension RefreshedValue where Source == IssuerKeySource {
    /// Decides about a token with an unknown key id; see `RefreshSchedule.missedKey`. Does not block.
    func missedKey(_ id: [UInt8]?, from client: PeerAddress) -> Int? {
        reschedule { schedule, now in
            let mayWait = source.missedKeys.mayWait(
                for: id, from: client, at: now.uptime, sinceFetch: schedule.lastAttempt?.uptime ?? .zero)
            return schedule.missedKey(at: now, mayWait: mayWait)
        }
    }
}
