package import Presigning
import Synchronization

/// How it stands with a selection's credentials, to be read at any time without a lock.
package final class CredentialStatus: Sendable {
    private static let none = Int64.min
    private let success = Atomic(CredentialStatus.none)
    private let end = Atomic(CredentialStatus.none)
    private let failed = Atomic(0)
    private let attempt = Atomic(CredentialStatus.none)

    /// Nothing has happened yet.
    package init() {}

    /// When credentials were read or fetched last, whether they were new or not.
    package var lastSuccess: SigningTime? { Self.time(success.load(ordering: .relaxed)) }

    /// The end of the credentials that came last, which may be over; nil when none came, or they last.
    package var expiration: SigningTime? { Self.time(end.load(ordering: .relaxed)) }

    /// Attempts that brought nothing, since the start.
    package var failures: Int { failed.load(ordering: .relaxed) }

    /// Whole seconds until the next attempt, at least 1; nil when none is planned.
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
