import HTTP1
import RateLimiting
import Telemetry

/// The rate limit that applies to a request, and whether the request is within it.
package struct RateLimitStatus: Sendable {
    /// The kinds of limits, with the names that clients see.
    enum Policy: Int, MetricLabel {
        case caller, guest, failedAuthentications

        var text: String {
            switch self {
            case .caller: "caller"
            case .guest: "guest"
            case .failedAuthentications: "failed-authentications"
            }
        }
    }

    let policy: Policy
    let limit: RateLimit
    let decision: RateLimitDecision

    init(_ policy: Policy, _ limit: RateLimit, _ decision: RateLimitDecision) {
        (self.policy, self.limit, self.decision) = (policy, limit, decision)
    }

    /// Appends `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10): the quota `q` per window
    /// of `w` seconds, the remaining requests `r`, and in `t` the seconds until the quota is full or, after a refusal,
    /// until the next request is allowed.
    func append(to fields: inout HTTPFields) {
        fields.add("ratelimit-policy", "\"\(policy.text)\";q=\(limit.count);w=\(limit.period)".utf8.span)
        let seconds = decision.isAllowed ? decision.reset : decision.retryAfter
        fields.add("ratelimit", "\"\(policy.text)\";r=\(decision.remaining(under: limit));t=\(seconds)".utf8.span)
    }
}
