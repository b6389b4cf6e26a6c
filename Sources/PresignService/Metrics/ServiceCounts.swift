import Telemetry

/// What the service counts. The fields are the metrics of the same names.
struct ServiceCounts: Sendable {
    /// Answered requests by route, then by status.
    var requests = PerLabel<Route, [Int: Int]>(repeating: [:])
    var durations = PerLabel<Route, LatencyHistogram>(repeating: LatencyHistogram())
    /// Items of batches included.
    var refusals = PerLabel<ProblemCode, Int>(repeating: 0)
    var limitsHit = PerLabel<RateLimitStatus.Policy, Int>(repeating: 0)
    /// Requests in flight.
    var waiting = 0
    /// The names of all stores there were, in the order of their first appearance.
    private(set) var stores: [String] = []
    private var urls: [String: PerLabel<OperationLabel, Int>] = [:]

    /// Begins a store's counters, so that metrics show them before the first URL. Counters that exist are kept.
    mutating func addStore(_ name: String) {
        guard urls[name] == nil else { return }
        stores.append(name)
        urls[name] = PerLabel(repeating: 0)
    }

    /// The URLs for a store, by operation.
    subscript(urlsOf store: String) -> PerLabel<OperationLabel, Int> {
        get { urls[store] ?? PerLabel(repeating: 0) }
        set {
            addStore(store)
            urls[store] = newValue
        }
    }

    /// Adds what another thread has counted.
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
