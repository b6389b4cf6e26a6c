import AccessRules
package import DataFormats
import HTTP1
import Requests
package import System
import Telemetry

/// The token buckets of all rate limits. They outlive a configuration reload: it changes the limits but keeps what
/// callers have used, as `TokenBucket.deficit` describes.
///
/// Each authenticated caller has a bucket. Guests have one per address, and so do callers with anonymous tokens,
/// because anyone can get more of those. Failed authentications count per address.
final class Limits: Sendable {
    private let callers = RateLimiter()
    private let guests = RateLimiter()
    private let failures = RateLimiter()
    private let shareUses = RateLimiter()

    /// Takes a token for one request or for one item of a batch, or only looks at what is left.
    ///
    /// - Parameters:
    ///   - client: the client's address.
    ///   - use: uses the bucket; see `TokenBucket`.
    /// - Returns: nil if the caller has no limit.
    func status(
        of caller: Caller, from client: PeerAddress, under limits: LimitsConfiguration,
        _ use: (RateLimiter, LimitKey, RateLimit) -> RateLimitDecision
    ) -> RateLimitStatus? {
        caller.isGuest
            ? limits.perGuest.map { RateLimitStatus(.guest, $0, use(guests, LimitKey(caller, from: client), $0)) }
            : limits.perCaller.map { RateLimitStatus(.caller, $0, use(callers, LimitKey(caller, from: client), $0)) }
    }

    /// Takes a token for one use of a share link; nil without a limit.
    func takeShareUse(
        from client: PeerAddress, under limits: LimitsConfiguration, at now: MonotonicTime
    ) -> RateLimitStatus? {
        limits.perShareClient.map {
            RateLimitStatus(.shareClient, $0, shareUses.take(LimitKey(client), under: $0, at: now.nanoseconds))
        }
    }

    /// Returns how many failed authentications an address has left; nil without a limit.
    func peekFailures(
        from client: PeerAddress, under limits: LimitsConfiguration, at now: MonotonicTime
    ) -> RateLimitStatus? {
        limits.failedAuthentications.map {
            RateLimitStatus(
                .failedAuthentications, $0, failures.peek(LimitKey(client), under: $0, at: now.nanoseconds))
        }
    }

    /// Counts a failed authentication. Event loops that check the limit at the same time may each allow one more.
    func countFailure(from client: PeerAddress, under limits: LimitsConfiguration, at now: MonotonicTime) {
        guard let limit = limits.failedAuthentications else { return }
        _ = failures.take(LimitKey(client), under: limit, at: now.nanoseconds)
    }
}

extension LimitKey {
    /// The bucket of a caller; of the address for guests, who have no identity.
    init(_ caller: Caller, from client: PeerAddress) {
        if caller.isGuest { self.init(client) } else { self.init(caller) }
    }

    /// The bucket of a caller: its label distinguishes the authentication scheme, the token issuer and the API key, and
    /// the identity distinguishes long names that the label truncates.
    init(_ caller: Caller) {
        var hasher = Hasher()
        hasher.combine(caller.label)
        hasher.combine(caller.identity)
        self.init(hasher)
    }
}

/// The rate limit that applies to a request, and whether the request is within it.
package struct RateLimitStatus: Sendable {
    /// The kinds of limits, with the names that clients see.
    enum Policy: Int, MetricLabel {
        case caller, guest, failedAuthentications, shareClient

        var text: String {
            switch self {
            case .caller: "caller"
            case .guest: "guest"
            case .failedAuthentications: "failed-authentications"
            case .shareClient: "share-client"
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

/// The section `limits`: the rate limits of callers.
package struct LimitsConfiguration: Sendable, Equatable {
    /// Per caller with credentials; nil means no limit.
    package var perCaller: RateLimit?
    /// Per client address of guests; nil means no limit.
    package var perGuest: RateLimit?
    /// Per client address of failed authentications; nil means no limit.
    ///
    /// Bounds the work for forged tokens: verifying 10 a second takes less than 1 % of a core. API keys need no limit,
    /// because their 256 random bits cannot be guessed.
    package var failedAuthentications = RateLimit(count: 600, period: 60)
    /// Per client address of uses of share links; nil means no limit.
    package var perShareClient = RateLimit(count: 600, period: 60)
    /// Whether responses have `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers).
    package var showsHeaders = false
    /// The limits of callers that the section does not mention; unlike `none`, that is probably an oversight.
    private(set) var absent = ["perCaller", "perGuest"]

    /// The defaults.
    package init() {}

    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["perCaller", "perGuest", "failedAuthentications", "perShareClient", "headers"])
        keys.read("perCaller", into: &perCaller, Self.limit)
        keys.read("perGuest", into: &perGuest, Self.limit)
        keys.read("failedAuthentications", into: &failedAuthentications, Self.limit)
        keys.read("perShareClient", into: &perShareClient, Self.limit)
        absent.removeAll { keys[$0] != nil }
        keys.read("headers", into: &showsHeaders) { try $0.boolean() }
    }

    private static func limit(_ node: ConfigurationNode) throws(ConfigurationError) -> RateLimit? {
        if node.isPlain("none") { return nil }
        guard node.isMapping else { return try limit(of: node.rate(in: 1...1_000_000), burst: nil, at: node) }
        let keys = try node.mapping(["rate", "burst"])
        let burst = keys.value("burst") { try $0.integer(in: 1...1_000_000) }
        guard let rate = keys.required("rate", { try $0.rate(in: 1...1_000_000) }) else { throw keys.incomplete }
        return try limit(of: rate, burst: burst, at: keys["burst"] ?? node)
    }

    private static func limit(
        of rate: (count: Int, period: Int), burst: Int?, at node: ConfigurationNode
    ) throws(ConfigurationError) -> RateLimit {
        if let limit = RateLimit(count: rate.count, period: rate.period, burst: burst) { return limit }
        throw node.error("is too large for the rate: an empty bucket would take more than 30 days to fill")
    }
}
