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
    /// first: `SelectionRefresh` fetches them.
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

/// The current credentials of one selection and the status of their refresh. All configuration snapshots share it.
package final class CurrentCredentials: Sendable {
    private struct State {
        var credentials: Credentials?
        var status = CredentialStatus()
    }

    private let state: Mutex<State>

    /// - Parameter credentials: the initial credentials, or nil if they must be fetched.
    package init(_ credentials: Credentials? = nil) {
        state = Mutex(
            State(credentials: credentials, status: CredentialStatus(expiration: credentials?.expiration)))
    }

    /// The current credentials, which may have expired.
    package var credentials: Credentials? { state.withLock { $0.credentials } }

    /// The status of their refresh.
    package var status: CredentialStatus { state.withLock { $0.status } }

    /// Changes the status.
    func update(_ change: (inout CredentialStatus) -> Void) { state.withLock { change(&$0.status) } }

    /// Replaces the current credentials.
    ///
    /// Equal credentials keep the current instance, so that signing keys cached for it stay valid.
    /// - Returns: whether the credentials have changed.
    func replace(with credentials: Credentials?) -> Bool {
        state.withLock { state in
            switch (state.credentials, credentials) {
            case (nil, nil): return false
            case (let old?, let new?) where old.equals(new): return false
            default: state.credentials = credentials
            }
            // Removing expired credentials keeps their expiration in the status.
            if let credentials { state.status.expiration = credentials.expiration }
            return true
        }
    }
}

/// The status of the refresh of a selection's credentials.
package struct CredentialStatus: Sendable {
    /// The time of the last successful refresh, or nil if there was none.
    package internal(set) var lastSuccess: SigningTime?
    /// The expiration of the latest credentials, possibly in the past. Nil without credentials, or if they do not
    /// expire.
    package internal(set) var expiration: SigningTime?
    /// The number of failed refreshes since the process started.
    package internal(set) var failures = 0
    /// The uptime of the next attempt; nil if none is scheduled.
    var nextAttempt: Duration?

    /// Returns the whole seconds until the next attempt, at least 1, or nil if none is scheduled.
    package func secondsToAttempt(atUptime now: Duration) -> Int? {
        nextAttempt.map { max(1, Int(($0 - now).seconds.rounded(.up))) }
    }
}
