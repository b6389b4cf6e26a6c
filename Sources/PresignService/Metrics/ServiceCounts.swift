import Presigning
import Telemetry

/// The counts of the service, one field per metric.
struct ServiceCounts: Sendable {
    /// The URLs issued for one store, by operation.
    struct StoreURLs: Sendable {
        let store: String
        var operations = PerLabel<AWSS3SigningOperation.Kind, Int>(repeating: 0)
    }

    /// Requests by route, then by status.
    var requests = PerLabel<Route, [Int: Int]>(repeating: [:])
    var durations = PerLabel<Route, LatencyHistogram>(repeating: LatencyHistogram())
    /// Batch items included.
    var refusals = PerLabel<ProblemCode, Int>(repeating: 0)
    var limitsHit = PerLabel<RateLimitStatus.Policy, Int>(repeating: 0)
    /// Deferred requests in flight.
    var waiting = 0
    /// The issued URLs of every store since the start.
    var urls: [StoreURLs] = []

    /// Counts a request with its response.
    mutating func noteRequest(_ route: Route, status: Int, nanoseconds: Int) {
        requests[route][status, default: 0] += 1
        durations[route].note(nanoseconds: nanoseconds)
    }

    /// Returns the index in `urls` of a store, which metrics show from now on.
    mutating func index(ofStore name: String) -> Int {
        if let index = urls.firstIndex(where: { $0.store == name }) { return index }
        urls.append(StoreURLs(store: name))
        return urls.count - 1
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
        for urls in right.urls { left.urls[left.index(ofStore: urls.store)].operations += urls.operations }
    }
}
