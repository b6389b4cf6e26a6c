import ObjectExistence
package import Presigning
import Synchronization
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

/// The counters of one event loop, usable from any thread. One per loop avoids contention between loops.
package final class MetricShard: Sendable {
    private let state = Mutex(ServiceCounts())

    init() {}

    /// Changes the counts.
    func note<Result: Sendable>(_ change: (inout ServiceCounts) -> Result) -> Result {
        state.withLock { change(&$0) }
    }

    /// The counts so far.
    var counts: ServiceCounts { state.withLock { $0 } }
}

extension ServiceCounts {
    /// Appends the requests and their durations.
    func appendRequests(to text: inout MetricsText) {
        text.begin("presign_http_requests_total", .counter, "HTTP requests by route and status.")
        for route in Route.allCases {
            // Only statuses that occurred: most routes never use most of them.
            for (status, count) in requests[route].sorted(by: { $0.key < $1.key }) {
                text.add(count, [("route", route.text), ("status", "\(status)")])
            }
        }
        text.begin(
            "presign_http_request_duration_seconds", .histogram,
            "Time from a request's head to its response, existence checks included.")
        for route in Route.allCases where !durations[route].isEmpty {
            text.add(durations[route], [("route", route.text)])
        }
    }

    /// Appends the issued URLs and the refusals.
    func appendDecisions(to text: inout MetricsText) {
        text.begin(
            "presign_urls_total", .counter,
            "URLs issued, by store and operation; counts each batch item, redirect and upload part.")
        for urls in urls.sorted(by: { $0.store < $1.store }) {
            text.add(urls.operations, [("store", urls.store)], by: "operation")
        }
        text.begin(
            "presign_refusals_total", .counter,
            "Refusals by problem code; counts each batch item.")
        text.add(refusals, by: "code")
        text.begin(
            "presign_limits_hit_total", .counter,
            "Requests and batch items refused by a rate limit, by limit.")
        text.add(limitsHit, by: "limit")
    }
}

extension AWSS3SigningOperation.Kind: MetricLabel {
    /// The operation's name in the Amazon S3 API Reference.
    package var text: String { name.prefix(1).uppercased() + name.dropFirst() }
}

/// The outcomes of existence checks.
enum ExistenceLabel: Int, MetricLabel {
    case found, missing, denied, unexpected, unreachable, timeout, overloaded

    init(_ outcome: ExistenceOutcome) {
        self =
            switch outcome {
            case .status(200..<300, _, _): .found
            case .status(404, _, _): .missing
            case .status(403, _, _): .denied
            case .status: .unexpected
            case .failed: .unreachable
            case .timedOut: .timeout
            case .overloaded: .overloaded
            }
    }
}

extension Route: MetricLabel {
    var text: String {
        switch self {
        case .presign: "/presign"
        case .batch: "/presign/batch"
        case .link: "/o/{path}"
        case .share: "/s/{token}"
        case .lfs: "/lfs/{repository}/objects/batch"
        case .lfsLocks: "/lfs/{repository}/locks"
        case .iceberg: "/iceberg/{store}/sign"
        case .permissions: "/permissions"
        case .page: "page"
        case .healthz: "/healthz"
        case .readyz: "/readyz"
        case .metrics: "/metrics"
        case .openAPI: "/openapi.yaml"
        case .asterisk: "*"
        case .other: "other"
        }
    }
}
