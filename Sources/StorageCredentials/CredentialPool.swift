import Presigning
import Synchronization

/// The credentials of every selection that stores have, for as long as the process lives: a configuration that is read again
/// finds those that were fetched before.
package final class CredentialPool: Sendable {
    /// One selection with its source and its slot.
    package struct Line: Sendable {
        /// What the configuration says.
        package let selection: CredentialSelection
        /// Where that leads.
        package let source: any CredentialSource
        /// What came of it.
        package let slot: CurrentCredentials
    }

    private let environment: @Sendable (String) -> String?
    private let known = Mutex<[CredentialSelection: Line]>([:])

    /// - Parameter environment: reads one environment variable.
    package init(environment: @escaping @Sendable (String) -> String?) {
        self.environment = environment
    }

    /// Every line that there is.
    package var lines: [Line] { known.withLock { Array($0.values) } }

    /// The slot of a selection, the one there is or a new one. A new one holds what variables and files give; what has to be
    /// fetched comes later.
    ///
    /// - Throws: when the selection is configured wrongly, or leads nowhere.
    package func slot(for selection: CredentialSelection) throws(CredentialFailure) -> CurrentCredentials {
        if let line = known.withLock({ $0[selection] }) { return line.slot }
        let source = selection.source(environment: environment)
        guard let origin = try source.origin() else {
            throw CredentialFailure(source: "\(selection)", reason: "none found; \(selection.mend)")
        }
        var first: Credentials?
        if case .keys(let credentials) = origin { first = credentials }
        let line = Line(selection: selection, source: source, slot: CurrentCredentials(first))
        return known.withLock { known in
            if let other = known[selection] { return other.slot }
            known[selection] = line
            return line.slot
        }
    }

    /// Forgets the selections that no store has any more.
    package func keep(only selections: Set<CredentialSelection>) {
        known.withLock { $0 = $0.filter { selections.contains($0.key) } }
    }
}
