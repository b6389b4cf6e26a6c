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
    /// The names of all stores since the start, in order of first appearance.
    private(set) var stores: [String] = []
    private var urls: [String: PerLabel<OperationLabel, Int>] = [:]

    /// Adds a store's counters, so that metrics show 0 before the first URL; existing counters are kept.
    mutating func addStore(_ name: String) {
        guard urls[name] == nil else { return }
        stores.append(name)
        urls[name] = PerLabel(repeating: 0)
    }

    /// The URLs issued for a store, by operation.
    subscript(urlsOf store: String) -> PerLabel<OperationLabel, Int> {
        get { urls[store] ?? PerLabel(repeating: 0) }
        _modify {
            addStore(store)
            yield &urls[store, default: PerLabel(repeating: 0)]
        }
    }

    /// Adds the counts of another shard.
    static func += (left: inout ServiceCounts, right: ServiceCounts) {
        for route in Route.allCases {
            left.requests[route].merge(right.requests[route], uniquingKeysWith: +)
            left.durations[route] += right.durations[route]
        }
        left.refusals += right.refusals
        left.limitsHit += right.limitsHit
        left.waiting += right.waiting
        for store in right.stores { left[urlsOf: store] += right[urlsOf: store] }
    }
}
