import RateLimiting

extension Problem {
    /// The problem type for an exceeded quota (draft-ietf-httpapi-ratelimit-headers-10).
    static let quotaExceededType = "https://iana.org/assignments/http-problem-types#quota-exceeded"

    /// 429: the rate limit is exceeded.
    ///
    /// - Parameter isShown: whether clients may see which limit it is.
    static func rateLimited(_ status: RateLimitStatus, isShown: Bool) -> Problem {
        let seconds = status.decision.retryAfter
        let detail =
            switch status.policy {
            case .caller: "You have exceeded your limit of \(status.limit)"
            case .guest: "Requests without credentials from your address have exceeded the limit of \(status.limit)"
            case .failedAuthentications:
                "Too many failed authentications from your address; tokens are not verified until the wait is over"
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
