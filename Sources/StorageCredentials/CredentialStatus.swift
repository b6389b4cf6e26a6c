package import Presigning
import Synchronization

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
