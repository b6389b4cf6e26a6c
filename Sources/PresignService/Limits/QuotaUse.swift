import HTTP1
import RateLimiting

/// How a request stands to the limit that it came under.
package struct QuotaUse: Sendable {
    /// The limits there are, by the names that clients are told.
    enum Policy: String {
        case caller
        case guest
        case failedAuthentications = "failed-authentications"
    }

    let policy: Policy
    let limit: RateLimit
    let use: LimitUse

    init(_ policy: Policy, _ limit: RateLimit, _ use: LimitUse) {
        (self.policy, self.limit, self.use) = (policy, limit, use)
    }

    /// `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-10: the quota `q` in a window of `w`
    /// seconds; what remains, `r`, and the seconds `t` until it is whole again, or until another request is allowed.
    func append(to fields: inout HTTPFields) {
        fields.add("ratelimit-policy", "\"\(policy.rawValue)\";q=\(limit.count);w=\(limit.period)".utf8.span)
        let seconds = use.isAllowed ? use.reset : use.retryAfter
        fields.add("ratelimit", "\"\(policy.rawValue)\";r=\(use.remaining(under: limit));t=\(seconds)".utf8.span)
    }
}
