import ObjectExistence

/// Limits on one batch's use of the existence checks, which all requests share.
struct BatchCheckLimits: Sendable {
    /// The most checks of one batch in flight; leaves capacity for other requests.
    let maximumInFlight: Int
    /// The time after a request's arrival in which checks may start. Checks started later could outlast the response.
    let startWindow: Duration

    /// - Parameter responseTimeout: the time within which a deferred response must be complete.
    init(_ existence: ExistenceConfiguration, responseTimeout: Duration) {
        maximumInFlight = max(1, existence.maximumInFlight / 4)
        startWindow = max(responseTimeout / 2, responseTimeout - existence.timeout)
    }
}
