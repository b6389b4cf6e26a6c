package import Presigning
import Synchronization

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
