package import Presigning
package import Refreshing
import Synchronization

/// The current credentials of a selection.
package typealias CurrentCredentials = RefreshedValue<SelectionSource>
/// The current credentials of every selection that a store uses.
package typealias CredentialPool = RefreshPool<SelectionSource>

/// The source of a selection's credentials.
///
/// Credentials are refreshed 15 minutes before they expire. If their lifetime is short, they are refreshed after half of
/// the time until only `minRemaining` is left.
package final class SelectionSource: RefreshSource {
    package typealias Value = Credentials
    package typealias Failure = CredentialFailure

    /// The selection in the configuration.
    package let id: CredentialSelection
    /// The source that the selection names.
    package let source: any CredentialSource
    private let minRemaining = Atomic(0)

    package init(_ id: CredentialSelection, _ source: any CredentialSource) { (self.id, self.source) = (id, source) }

    /// Sets the minimum remaining lifetime of usable credentials, in seconds. Returns whether it has changed.
    package func require(_ minimum: Int) -> Bool { minRemaining.exchange(minimum, ordering: .relaxed) != minimum }

    /// Returns new credentials. Blocks while it fetches them.
    ///
    /// - Throws: `CredentialFailure` also if they have expired. Those that expire within `minRemaining` are a
    ///   shortcoming unless the current ones expire later, because a reload can lower `minRemaining`.
    package func fetch(replacing current: Credentials?, clock: () -> ClockReading) throws(CredentialFailure) -> Fetched
    {
        let fetched = try fetch()
        let credentials = current.flatMap { $0.equals(fetched) ? $0 : nil } ?? fetched
        guard let expiration = credentials.expiration else { return (credentials, nil, nil) }
        let (now, minimum) = (clock(), minRemaining.load(ordering: .relaxed))
        let remaining = Self.remaining(of: credentials, at: now)
        guard remaining > 0 else { throw failure("they expired at \(expiration)") }
        let lifetime = Self.lifetime(seconds: Double(remaining), minRemaining: Double(minimum))
        if remaining > minimum { return (credentials, lifetime, nil) }
        let shortcoming = failure("they expire at \(expiration), within aws.minRemaining (\(minimum) seconds)")
        guard remaining >= current.map({ Self.remaining(of: $0, at: now) }) ?? 0 else { throw shortcoming }
        return (credentials, lifetime, shortcoming)
    }

    package func isUsable(_ credentials: Credentials, at now: ClockReading) -> Bool {
        Self.remaining(of: credentials, at: now) > minRemaining.load(ordering: .relaxed)
    }

    /// Returns the lifetime of credentials that expire after some seconds. They end by the monotonic clock; those that
    /// have expired by the wall clock are not used either, but can be again when the clock is set right.
    static func lifetime(seconds: Double, minRemaining: Double) -> RefreshSchedule.Lifetime {
        // 900 seconds, the same as botocore's advisory timeout.
        let refreshAge = max(seconds - max(900, minRemaining), (seconds - minRemaining) / 2, 1)
        return RefreshSchedule.Lifetime(refreshAge: refreshAge, length: seconds, endsByWallClock: false)
    }

    private func fetch() throws(CredentialFailure) -> Credentials {
        guard let resolution = try source.resolve() else { throw missing("") }
        do { return try resolution.credentials() } catch {
            throw error.isAbsence ? missing(" (\(error))") : error
        }
    }

    /// Returns the remaining lifetime in seconds by the wall clock.
    private static func remaining(of credentials: Credentials, at now: ClockReading) -> Int64 {
        credentials.expiration.map { now.wall.seconds(until: $0) } ?? .max
    }

    private func failure(_ reason: String) -> CredentialFailure { CredentialFailure(source: "\(id)", reason: reason) }

    fileprivate func missing(_ detail: String) -> CredentialFailure {
        CredentialFailure(source: "\(id)", reason: "none found; \(id.hint)\(detail)", isAbsence: true)
    }
}

extension RefreshPool where Source == SelectionSource {
    /// Creates an empty pool. A new selection gets the credentials from variables or files; those that must be fetched
    /// are missing at first.
    package convenience init(
        clock: @escaping @Sendable () -> ClockReading = ClockReading.now,
        sources: @escaping @Sendable (CredentialSelection) -> any CredentialSource
    ) {
        self.init({ selection throws(CredentialFailure) in
            let source = SelectionSource(selection, sources(selection))
            guard let resolution = try source.source.resolve() else { throw source.missing("") }
            if case .keys(let credentials) = resolution { return CurrentCredentials(source, credentials, clock: clock) }
            return CurrentCredentials(source, clock: clock)
        })
    }
}
