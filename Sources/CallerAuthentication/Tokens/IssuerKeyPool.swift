package import Presigning
import Synchronization

/// The current keys of every issuer whose keys are fetched.
///
/// The pool lives as long as the process, so fetched keys survive a reload of the configuration.
package final class IssuerKeyPool: Sendable {
    /// Fetches the keys from a source; see `RemoteKeyFetcher.fetch`.
    package typealias Fetch =
        @Sendable (RemoteKeySource) throws(IssuerKeyFailure) -> (
            keys: FetchedKeys, freshFor: Int?
        )

    private let clock: @Sendable () -> ClockReading
    private let fetch: Fetch
    private let current = Mutex<[RemoteKeySource: CurrentIssuerKeys]>([:])

    /// - Parameters:
    ///   - clock: Returns the current time.
    ///   - fetch: Fetches the keys from a source; may block.
    package init(
        clock: @escaping @Sendable () -> ClockReading,
        fetch: @escaping Fetch = { source throws(IssuerKeyFailure) in try RemoteKeyFetcher(source).fetch() }
    ) {
        (self.clock, self.fetch) = (clock, fetch)
    }

    /// All sources, in no particular order.
    package var all: [CurrentIssuerKeys] { current.withLock { Array($0.values) } }

    /// Returns the current keys of a source, and adds the source, without keys, if it is new.
    package func keys(from source: RemoteKeySource) -> CurrentIssuerKeys {
        current.withLock { all in
            if let known = all[source] { return known }
            let new = CurrentIssuerKeys(source, clock: clock) { [fetch] () throws(IssuerKeyFailure) in
                try fetch(source)
            }
            all[source] = new
            return new
        }
    }

    /// Removes all other sources.
    package func keep(only sources: Set<RemoteKeySource>) {
        current.withLock { $0 = $0.filter { sources.contains($0.key) } }
    }
}
