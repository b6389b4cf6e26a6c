package import ConfigurationReading
package import RateLimiting

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
