import Presigning
import StorageCredentials
import System

/// The credentials that a snapshot signs with in one role of a store.
final class HeldCredentials: Sendable {
    /// Holds these credentials, and their successors.
    let slot: CurrentCredentials
    /// What the slot held when the snapshot was made; requests never look into the slot.
    let credentials: Credentials?
    /// The time from which they are not used any more.
    private let end: SigningTime

    /// - Parameter minRemaining: credentials with fewer seconds left are not used.
    init(_ slot: CurrentCredentials, minRemaining: Int) {
        self.slot = slot
        let held = slot.credentials
        credentials = held
        end =
            held == nil
            ? SigningTime(secondsSince1970: 0)
            : held?.expiration?.advanced(bySeconds: -minRemaining)
                ?? SigningTime(secondsSince1970: SigningTime.representable.upperBound)
    }

    /// Whether they are those of the slot now.
    var areCurrent: Bool { slot.credentials === credentials }

    /// Whether they may be signed with.
    func areUsable(at time: SigningTime) -> Bool { time < end }

    /// Seconds until there may be others; nil if no attempt is planned.
    var secondsToAttempt: Int? {
        slot.status.secondsToAttempt(atUptime: .nanoseconds(MonotonicTime.now().nanoseconds))
    }

    /// 503: there is nothing to sign with.
    var unavailable: Problem {
        .credentialsUnavailable(
            "The service has no usable storage credentials just now", retryAfter: secondsToAttempt)
    }
}
