import HTTP1
import Telemetry

/// What requests of one event loop are handled with: the service, one snapshot of its configuration, and where they are
/// counted and logged. The stages of a request are its extensions; any thread may call them.
final class Endpoint: Sendable {
    let service: Service
    let snapshot: ServiceSnapshot
    /// Where its requests are counted.
    let shard: MetricShard
    /// Where lines of the request log go; nil without a log.
    let lane: LogBuffer?
    /// Where lines of the audit go; nil while it is off.
    let auditLane: LogBuffer?

    init(
        _ service: Service, _ snapshot: ServiceSnapshot, _ shard: MetricShard, lane: LogBuffer?, auditLane: LogBuffer?
    ) {
        self.service = service
        self.snapshot = snapshot
        self.shard = shard
        self.lane = lane
        self.auditLane = auditLane
        shard.addStores(snapshot.stores.all.map(\.configuration.name))
    }

    /// The route of a request; `other` for one that the configuration does not offer.
    func route(of head: HTTPRequest) -> Route {
        let route = Route(head)
        let isOffered = route == .metrics ? service.offersMetrics : snapshot.offers(route)
        return isOffered ? route : .other
    }

    /// The request's origin, if the configuration names any origins.
    func origin(of head: HTTPRequest) -> [UInt8]? {
        snapshot.cors.origins.isEmpty ? nil : head.headers.first(.origin).map { Array($0) }
    }
}
