import Presigning
import StorageCredentials
import System

/// The credentials that a snapshot uses for one role of a store.
final class HeldCredentials: Sendable {
    /// The slot that holds these credentials and their successors.
    let slot: CurrentCredentials
    /// The slot's credentials when the snapshot was created; requests do not read the slot.
    let credentials: Credentials?
    /// The time from which the credentials are no longer used.
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

    /// Whether the slot still holds the same credentials.
    var areCurrent: Bool { slot.credentials === credentials }

    /// Whether the credentials may be used for signing.
    func areUsable(at time: SigningTime) -> Bool { time < end }

    /// Seconds until the next attempt to get credentials; nil if none is planned.
    var secondsToAttempt: Int? {
        slot.status.secondsToAttempt(atUptime: .nanoseconds(MonotonicTime.now().nanoseconds))
    }

    /// 503: no usable credentials.
    var unavailable: Problem {
        .credentialsUnavailable(
            "The service has no usable storage credentials at the moment", retryAfter: secondsToAttempt)
    }
}
