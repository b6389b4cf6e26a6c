import Telemetry

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
