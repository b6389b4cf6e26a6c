import Presigning
import Telemetry

extension MetricTotal {
    /// What requests came to, and how long they took.
    func appendRequests(to text: inout MetricsText) {
        text.begin("presign_http_requests_total", .counter, "Requests answered, by route and status.")
        for route in Route.allCases {
            for place in 0...StatusPlace.codes.count {
                let count = requests[MetricShard.place(route, place)]
                // All statuses of all routes would be many series that never move.
                guard count > 0 else { continue }
                let status = place < StatusPlace.codes.count ? "\(StatusPlace.codes[place])" : "other"
                text.add(count, [("route", "\(route.text)"), ("status", status)])
            }
        }
        text.begin(
            "presign_http_request_duration_seconds", .histogram,
            "Time from a request's head to its answer, waiting for the storage included.")
        for route in Route.allCases where !durations[Int(route.rawValue)].isEmpty {
            text.add(durations[Int(route.rawValue)], [("route", "\(route.text)")])
        }
    }

    /// What was given and what was refused.
    func appendDecisions(to text: inout MetricsText) {
        text.begin(
            "presign_urls_total", .counter,
            "URLs given, by store and operation; each item of a batch, each redirection and each part counts.")
        for store in stores {
            for (operation, count) in zip(AWSS3SigningOperation.names, store.operations) {
                text.add(count, [("store", store.name), ("operation", "\(operation)")])
            }
        }
        text.begin(
            "presign_refusals_total", .counter,
            "Refusals by the code of their problem; each item of a batch counts.")
        for (place, count) in refusals.enumerated() {
            text.add(count, [("code", place < RefusalPlace.codes.count ? RefusalPlace.codes[place] : "other")])
        }
        text.begin(
            "presign_limits_hit_total", .counter,
            "Requests and items of batches refused because a limit was used up, by limit.")
        for (policy, count) in zip(RateLimitStatus.Policy.all, limits) { text.add(count, [("limit", policy.rawValue)]) }
    }
}
