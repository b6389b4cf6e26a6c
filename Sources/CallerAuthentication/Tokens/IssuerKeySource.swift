package import Refreshing

/// The current keys of a remote source.
package typealias CurrentIssuerKeys = RefreshedValue<IssuerKeySource>
/// The current keys of every issuer whose keys are fetched.
package typealias IssuerKeyPool = RefreshPool<IssuerKeySource>

/// The source of an issuer's fetched keys.
///
/// A set is fetched again after 80 % of the time that `Cache-Control` allows, at least 5 minutes and at most 6 hours.
package struct IssuerKeySource: RefreshSource {
    package typealias Value = FetchedKeys
    package typealias Failure = KeyFailure
    /// Fetches keys; see `RemoteKeyFetcher.fetch`. May block.
    package typealias Fetch =
        @Sendable (RemoteKeySource) throws(KeyFailure) -> (keys: FetchedKeys, freshFor: Int?)

    /// Where the keys are fetched.
    package let id: RemoteKeySource
    let fetch: Fetch
    let missedKeys = MissedKeys()

    package func fetch(replacing current: FetchedKeys?, clock: () -> ClockReading) throws(KeyFailure) -> Fetched {
        let (fetched, freshFor) = try fetch(id)
        let keys = current.flatMap { $0.equals(fetched) ? $0 : nil } ?? fetched
        return (keys, Self.lifetime(freshFor: freshFor, maxStale: id.maxStale), nil)
    }

    package func isUsable(_ keys: FetchedKeys, at now: ClockReading) -> Bool { true }

    /// Returns the lifetime of a set.
    ///
    /// - Parameters:
    ///   - freshFor: How many seconds the server allows to cache the set; nil if it does not say, which means an hour.
    ///   - maxStale: The age in seconds at which the set is discarded.
    static func lifetime(freshFor: Int?, maxStale: Int) -> RefreshSchedule.Lifetime {
        let allowed = min(max(freshFor ?? 3600, 300), 21_600, maxStale / 2)
        return RefreshSchedule.Lifetime(
            refreshAge: Double(allowed) * 0.8, length: Double(maxStale), endsByWallClock: true)
    }
}

extension RefreshPool where Source == IssuerKeySource {
    /// Creates an empty pool. A new source has no keys at first.
    package convenience init(
        clock: @escaping @Sendable () -> ClockReading = ClockReading.now,
        fetch: @escaping IssuerKeySource.Fetch = { source throws(KeyFailure) in
            try RemoteKeyFetcher(source).fetch()
        }
    ) {
        self.init({ CurrentIssuerKeys(IssuerKeySource(id: $0, fetch: fetch), clock: clock) })
    }
}
