/// How often callers may ask.
package struct LimitsConfiguration: Sendable, Equatable {
    /// For each caller with credentials; nil: no limit.
    package var perCaller: RateLimit?
    /// For each address that guests come from; nil: no limit.
    package var perGuest: RateLimit?
    /// For each address that bad credentials come from; nil: no limit.
    ///
    /// There is a limit by default, as to look at bad credentials costs most where they are made up to cost. It is no
    /// guard against guessing, which 256 bits need not fear, and so can be wide: many people behind one address, one of
    /// whom has an outdated token, are not to wait for each other; and at 10 a second signatures to verify take less than
    /// a hundredth of a core.
    package var failedAuthentications = RateLimit(count: 600, period: 60)
    /// True: answers have `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers).
    package var showsHeaders = false

    /// The defaults.
    package init() {}

    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["perCaller", "perGuest", "failedAuthentications", "headers"])
        perCaller = try Self.limit(keys["perCaller"], absent: perCaller)
        perGuest = try Self.limit(keys["perGuest"], absent: perGuest)
        failedAuthentications = try Self.limit(keys["failedAuthentications"], absent: failedAuthentications)
        if let node = keys["headers"] { showsHeaders = try node.boolean() }
    }

    private static func limit(
        _ node: ConfigurationNode?, absent: RateLimit?
    ) throws(ConfigurationError) -> RateLimit? {
        guard let node else { return absent }
        if node.isPlain("none") { return nil }
        guard node.isMapping else { return try limit(node, burst: nil) }
        let keys = try node.mapping(["rate", "burst"])
        return try limit(try keys.required("rate"), burst: keys["burst"])
    }

    private static func limit(
        _ node: ConfigurationNode, burst: ConfigurationNode?
    ) throws(ConfigurationError) -> RateLimit {
        let (count, period) = try node.rate(in: 1...1_000_000)
        let size = try burst?.integer(in: 1...1_000_000)
        if let limit = RateLimit(count: count, period: period, burst: size) { return limit }
        throw (burst ?? node).error("is too much for the rate: an empty bucket would take more than 30 days to fill")
    }
}
