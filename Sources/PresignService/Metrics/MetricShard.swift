import Synchronization
import Telemetry

/// The counters of one event loop, or of what else counts one at a time (see `ServiceMetrics`): threads never write to
/// the same memory, and any may read it.
package final class MetricShard: Sendable {
    /// Requests by route, and by status within a route.
    private let requests: InlineArray<256, Count>
    /// Problems by code, those of a batch's items included.
    private let refusals: InlineArray<64, Count>
    private let limits: InlineArray<3, Count>
    /// By route.
    private let durations: InlineArray<9, LatencyHistogram>
    /// Requests that wait for a storage.
    private let waiting = Count()
    private let stores = Mutex((counters: [StoreCounters](), places: NamePlaces()))

    init() {
        requests = InlineArray { _ in Count() }
        refusals = InlineArray { _ in Count() }
        limits = InlineArray { _ in Count() }
        durations = InlineArray { _ in LatencyHistogram() }
        let needed = MetricTotal()
        precondition(
            needed.requests.count <= requests.count && needed.refusals.count <= refusals.count
                && needed.limits.count <= limits.count && needed.durations.count <= durations.count,
            "there are more routes, statuses, codes or limits than counters for them")
    }

    /// Counts an answered request.
    func noteRequest(_ route: Route, status: Int, nanoseconds: Int) {
        requests[Self.place(route, StatusPlace.place(of: status))].add()
        durations[Int(route.rawValue)].note(nanoseconds: nanoseconds)
    }

    /// Counts a refusal.
    ///
    /// - Parameter code: the problem's.
    func noteRefusal(_ code: String) {
        refusals[RefusalPlace.place(of: code)].add()
    }

    /// Counts a request, or an item of a batch, that came when a limit was used up.
    func noteLimit(_ policy: RateLimitStatus.Policy) {
        limits[policy.place].add()
    }

    /// A request begins to wait for a storage (1), or has ended to (-1).
    func noteWaiting(_ change: Int) {
        waiting.add(change)
    }

    /// The counters of a store, which keep counting when a new configuration has a store of that name again.
    func counters(ofStore name: String) -> StoreCounters {
        stores.withLock { stores in
            let place = stores.places.place(of: name)
            if place == stores.counters.count { stores.counters.append(StoreCounters(name)) }
            return stores.counters[place]
        }
    }

    /// Adds what it has counted.
    func add(to total: inout MetricTotal) {
        for place in total.requests.indices { total.requests[place] += requests[place].sum }
        for place in total.refusals.indices { total.refusals[place] += refusals[place].sum }
        for place in total.limits.indices { total.limits[place] += limits[place].sum }
        for place in total.durations.indices { durations[place].add(to: &total.durations[place]) }
        total.waiting += waiting.sum
        for store in stores.withLock({ $0.counters }) { store.add(to: &total) }
    }

    /// Where requests of a route and a status are counted.
    static func place(_ route: Route, _ status: Int) -> Int {
        Int(route.rawValue) * (StatusPlace.codes.count + 1) + status
    }
}

/// The URLs given for one store by one event loop, or what else counts one at a time.
final class StoreCounters: Sendable {
    let name: String
    private let operations: InlineArray<9, Count>

    init(_ name: String) {
        self.name = name
        operations = InlineArray { _ in Count() }
    }

    /// - Parameter place: `AWSS3SigningOperation.place`.
    func note(_ place: Int) {
        operations[place].add()
    }

    func add(to total: inout MetricTotal) {
        let index = total.places.place(of: name)
        if index == total.stores.count { total.stores.append((name, Array(repeating: 0, count: operations.count))) }
        for place in operations.indices {
            total.stores[index].operations[place] += operations[place].sum
        }
    }
}

/// What all event loops have counted together.
struct MetricTotal {
    var requests = [Int](repeating: 0, count: Route.allCases.count * (StatusPlace.codes.count + 1))
    var refusals = [Int](repeating: 0, count: RefusalPlace.codes.count + 1)
    var limits = [Int](repeating: 0, count: RateLimitStatus.Policy.all.count)
    var durations = Route.allCases.map { _ in LatencyTotal() }
    var waiting = 0
    /// By name, and operation.
    var stores: [(name: String, operations: [Int])] = []
    /// Where a store stands among them.
    fileprivate var places = NamePlaces()
}

/// Names in the order in which they came first, told apart by their bytes.
private struct NamePlaces {
    private var places: [[UInt8]: Int] = [:]

    /// The name's place; a new name's is behind all others.
    mutating func place(of name: String) -> Int {
        let (name, next) = (Array(name.utf8), places.count)
        if let known = places[name] { return known }
        places[name] = next
        return next
    }
}

extension RateLimitStatus.Policy {
    /// In the order of their places.
    static let all: [RateLimitStatus.Policy] = [.caller, .guest, .failedAuthentications]

    fileprivate var place: Int {
        switch self {
        case .caller: 0
        case .guest: 1
        case .failedAuthentications: 2
        }
    }
}
