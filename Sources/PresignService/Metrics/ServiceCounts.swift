import Telemetry

/// The counts of the service, one field per metric.
struct ServiceCounts: Sendable {
    /// Requests by route, then by status.
    var requests = PerLabel<Route, [Int: Int]>(repeating: [:])
    var durations = PerLabel<Route, LatencyHistogram>(repeating: LatencyHistogram())
    /// Batch items included.
    var refusals = PerLabel<ProblemCode, Int>(repeating: 0)
    var limitsHit = PerLabel<RateLimitStatus.Policy, Int>(repeating: 0)
    /// Deferred requests in flight.
    var waiting = 0
    /// Issued URLs by operation, for each store since the start.
    var urls: [String: PerLabel<OperationLabel, Int>] = [:]

    /// Adds the counts of another shard.
    static func += (left: inout ServiceCounts, right: ServiceCounts) {
        for route in Route.allCases {
            left.requests[route].merge(right.requests[route], uniquingKeysWith: +)
            left.durations[route] += right.durations[route]
        }
        left.refusals += right.refusals
        left.limitsHit += right.limitsHit
        left.waiting += right.waiting
        for (store, urls) in right.urls { left.urls[store, default: PerLabel(repeating: 0)] += urls }
    }
}
