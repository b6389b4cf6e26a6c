package import Presigning
import Synchronization

/// The current credentials of every selection that a store uses.
///
/// The pool lives as long as the process, so fetched credentials survive a reload of the configuration.
package final class CredentialPool: Sendable {
    /// A selection with its source and its current credentials.
    package struct Entry: Sendable {
        /// The selection in the configuration.
        package let selection: CredentialSelection
        /// The source that the selection names.
        package let source: any CredentialSource
        /// The credentials that the source returned last.
        package let slot: CurrentCredentials
    }

    private let environment: @Sendable (String) -> String?
    private let entriesBySelection = Mutex<[CredentialSelection: Entry]>([:])

    /// - Parameter environment: returns the value of an environment variable.
    package init(environment: @escaping @Sendable (String) -> String?) {
        self.environment = environment
    }

    /// All entries, in no particular order.
    package var entries: [Entry] { entriesBySelection.withLock { Array($0.values) } }

    /// Returns the current credentials of a selection, and adds the selection if it is new.
    ///
    /// A new entry contains the credentials from variables or files. Credentials that must be fetched are missing at
    /// first: `CredentialRefresher` fetches them.
    ///
    /// - Throws: `CredentialFailure` if the selection is misconfigured or finds no credentials.
    package func slot(for selection: CredentialSelection) throws(CredentialFailure) -> CurrentCredentials {
        if let entry = entriesBySelection.withLock({ $0[selection] }) { return entry.slot }
        let source = selection.source(environment: environment)
        guard let resolution = try source.resolve() else {
            throw CredentialFailure(source: "\(selection)", reason: "none found; \(selection.hint)")
        }
        var first: Credentials?
        if case .keys(let credentials) = resolution { first = credentials }
        let entry = Entry(selection: selection, source: source, slot: CurrentCredentials(first))
        return entriesBySelection.withLock { entries in
            if let other = entries[selection] { return other.slot }
            entries[selection] = entry
            return entry.slot
        }
    }

    /// Removes all other selections.
    package func keep(only selections: Set<CredentialSelection>) {
        entriesBySelection.withLock { $0 = $0.filter { selections.contains($0.key) } }
    }
}

/// The current credentials of one selection. It is shared by all configuration snapshots.
package final class CurrentCredentials: Sendable {
    /// The refresh status.
    package let status = CredentialStatus()
    private let current: Mutex<Credentials?>

    /// - Parameter credentials: the initial credentials, or nil if they must be fetched.
    package init(_ credentials: Credentials? = nil) {
        current = Mutex(credentials)
        if let credentials { status.note(credentials) }
    }

    /// The current credentials, which may have expired.
    package var credentials: Credentials? { current.withLock { $0 } }

    /// Replaces the current credentials.
    ///
    /// Equal credentials keep the current instance, so that signing keys cached for it stay valid.
    /// - Returns: whether the credentials have changed.
    func replace(with credentials: Credentials?) -> Bool {
        let hasChanged = current.withLock { current in
            switch (current, credentials) {
            case (nil, nil): return false
            case (let old?, let new?) where old.equals(new): return false
            default:
                current = credentials
                return true
            }
        }
        // Removing expired credentials keeps their expiration in the status.
        if hasChanged, let credentials { status.note(credentials) }
        return hasChanged
    }
}

/// The refresh status of a selection, which any thread can read.
package final class CredentialStatus: Sendable {
    private static let none = Int64.min
    private let success = Atomic(CredentialStatus.none)
    private let end = Atomic(CredentialStatus.none)
    private let failed = Atomic(0)
    private let attempt = Atomic(CredentialStatus.none)

    /// Creates a status without any attempts.
    package init() {}

    /// The time of the last successful refresh, or nil if there was none.
    package var lastSuccess: SigningTime? { Self.time(success.load(ordering: .relaxed)) }

    /// The expiration of the latest credentials, possibly in the past. Nil without credentials, or if they do not
    /// expire.
    package var expiration: SigningTime? { Self.time(end.load(ordering: .relaxed)) }

    /// The number of failed refreshes since the process started.
    package var failures: Int { failed.load(ordering: .relaxed) }

    /// Returns the whole seconds until the next attempt, at least 1, or nil if none is scheduled.
    package func secondsToAttempt(atUptime now: Duration) -> Int? {
        let attempt = attempt.load(ordering: .relaxed)
        guard attempt != Self.none else { return nil }
        return max(1, Int((Double(attempt) / 1000 - now.seconds).rounded(.up)))
    }

    func noteSuccess(at time: SigningTime) { success.store(time.secondsSince1970, ordering: .relaxed) }

    func noteFailure() { failed.wrappingAdd(1, ordering: .relaxed) }

    package func note(_ credentials: Credentials) {
        end.store(credentials.expiration?.secondsSince1970 ?? Self.none, ordering: .relaxed)
    }

    func noteAttempt(atUptime time: Duration?) {
        attempt.store(time.map { Int64($0.seconds * 1000) } ?? Self.none, ordering: .relaxed)
    }

    private static func time(_ seconds: Int64) -> SigningTime? {
        seconds == none ? nil : SigningTime(secondsSince1970: seconds)
    }
}
