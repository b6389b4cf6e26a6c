import Telemetry

extension ServiceCounts {
    /// Appends how requests were answered, and how long that took.
    func appendRequests(to text: inout MetricsText) {
        text.begin("presign_http_requests_total", .counter, "Requests answered, by route and status.")
        for route in Route.allCases {
            // Only statuses that occurred: most routes never answer with most of them.
            for (status, count) in requests[route].sorted(by: { $0.key < $1.key }) {
                text.add(count, [("route", route.text), ("status", "\(status)")])
            }
        }
        text.begin(
            "presign_http_request_duration_seconds", .histogram,
            "Time from a request's head to its answer, waiting for the storage included.")
        for route in Route.allCases where !durations[route].isEmpty {
            text.add(durations[route], [("route", route.text)])
        }
    }

    /// Appends the URLs given, and the refusals.
    func appendDecisions(to text: inout MetricsText) {
        text.begin(
            "presign_urls_total", .counter,
            "URLs given, by store and operation; each item of a batch, each redirection and each part counts.")
        for store in stores { text.add(self[urlsOf: store], [("store", store)], by: "operation") }
        text.begin(
            "presign_refusals_total", .counter,
            "Refusals by the code of their problem; each item of a batch counts.")
        text.add(refusals, by: "code")
        text.begin(
            "presign_limits_hit_total", .counter,
            "Requests and items of batches refused because a limit was used up, by limit.")
        text.add(limitsHit, by: "limit")
    }
}
