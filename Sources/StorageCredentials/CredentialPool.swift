import Presigning
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
