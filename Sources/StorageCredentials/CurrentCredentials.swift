package import Presigning
import Synchronization

/// The credentials of one selection as they are now. It outlives every snapshot; snapshots take from it what they keep.
package final class CurrentCredentials: Sendable {
    /// How it stands with them.
    package let status = CredentialStatus()
    private let held: Mutex<Credentials?>

    /// - Parameter credentials: the first; nil when they have to be fetched.
    package init(_ credentials: Credentials? = nil) {
        held = Mutex(credentials)
        if let credentials { status.note(credentials) }
    }

    /// The credentials in hand, which may have ended.
    package var credentials: Credentials? { held.withLock { $0 } }

    /// Puts others in their place.
    ///
    /// - Returns: false when they say the same as those in hand, which then stay: what was derived from them stays good.
    func hold(_ credentials: Credentials?) -> Bool {
        let hasChanged = held.withLock { held in
            switch (held, credentials) {
            case (nil, nil): return false
            case (let held?, let new?) where held.equals(new): return false
            default:
                held = credentials
                return true
            }
        }
        // Of credentials that ended nothing comes after: how long ago that was is told on.
        if hasChanged, let credentials { status.note(credentials) }
        return hasChanged
    }
}
