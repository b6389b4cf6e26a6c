import RateLimiting

extension Problem {
    /// The type that draft-ietf-httpapi-ratelimit-headers-10 registers for a used-up quota.
    static let quotaExceededType = "https://iana.org/assignments/http-problem-types#quota-exceeded"

    /// 429: more requests than the limit allows.
    ///
    /// - Parameter isShown: whether clients see their limits.
    static func rateLimited(_ status: RateLimitStatus, isShown: Bool) -> Problem {
        let seconds = status.decision.retryAfter
        let detail =
            switch status.policy {
            case .caller: "You have used up your \(status.limit)"
            case .guest: "Callers without credentials at your address have used up their \(status.limit)"
            case .failedAuthentications:
                "Too many credentials from your address were not valid; a new token is verified only after the wait"
            }
        var problem = Problem(
            429, .rateLimited, "Too many requests", detail,
            recovery: "Try again in \(seconds) \(seconds == 1 ? "second" : "seconds").")
        problem.retryAfter = seconds
        if isShown { problem.violatedPolicy = status.policy.text }
        return problem
    }
}

extension RateLimit: CustomStringConvertible {
    /// `100 requests a second`.
    package var description: String {
        "\(count) \(count == 1 ? "request" : "requests") \(period == 1 ? "a second" : period == 60 ? "a minute" : "an hour")"
    }
}
