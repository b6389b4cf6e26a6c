package import PresignService
package import Presigning
package import StorageCredentials
import Synchronization

/// What signs offline, asked for once, and not before something needs it: the lines of a batch may bring their own.
package final class OfflineCredentials: Sendable {
    private enum State {
        case known(Credentials?)
        case failed(CredentialFailure)
        case asked(of: any CredentialSource)
    }

    private let state: Mutex<State>
    private let unknownEnd = Mutex<String?>(nil)

    /// A warning about credentials that were used and whose end is unknown; nil for others.
    package var warning: String? { unknownEnd.withLock { $0 } }

    /// Credentials that are there; nil when there are none.
    package init(_ credentials: Credentials?) {
        state = Mutex(.known(credentials))
    }

    /// Credentials of a source, which is held to be configured rightly at once.
    ///
    /// - Throws: `CredentialFailure` for mistakes in variables and files.
    package init(of source: any CredentialSource) throws(CredentialFailure) {
        switch try source.resolve() {
        case nil: state = Mutex(.known(nil))
        case .keys(let credentials): state = Mutex(.known(credentials))
        case .fetched: state = Mutex(.asked(of: source))
        }
    }

    /// The credentials; nil when there are none. The first call may run a program or ask an endpoint, and blocks then.
    package func value() throws(FieldFailure) -> Credentials? {
        let state = state.withLock { state in
            if case .asked(let source) = state { state = Self.answer(of: source) }
            return state
        }
        switch state {
        case .known(let credentials):
            if let warning = credentials?.unknownExpirationWarning { unknownEnd.withLock { $0 = warning } }
            return credentials
        case .failed(let failure): throw FieldFailure("credentials", "\(failure.source): \(failure.reason)")
        case .asked: return nil
        }
    }

    private static func answer(of source: any CredentialSource) -> State {
        do {
            return .known(try source.credentials())
        } catch {
            return .failed(error)
        }
    }
}
