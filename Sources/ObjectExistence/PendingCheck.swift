import HTTPClient
import RateLimiting
import Synchronization
import System

/// A check that was submitted.
struct PendingCheck: Sendable {
    let url: String
    /// The caller who asked for it.
    let caller: LimitKey
    /// The server that libcurl connects to: the storage or the proxy.
    let peer: FetchURL
    let deadline: ContinuousClock.Instant
    let completion: @Sendable (ExistenceOutcome) -> Void
}
