import HTTP1
import System

/// Responses to requests that the server refuses for lack of capacity. The handler creates each at most once a second,
/// so a flood of refused requests costs little and adds at most one log line a second for each kind of refusal.
struct CachedRefusals {
    private var cached: [HTTPFailure: (response: HTTPResponse, expiry: MonotonicTime)] = [:]

    /// Returns the cached response to `failure`, or asks `handler` for one.
    mutating func response(
        to failure: HTTPFailure, from handler: inout any HTTPHandler, at now: MonotonicTime
    ) -> HTTPResponse {
        if let (response, expiry) = cached[failure], now < expiry { return response }
        let response = handler.response(to: failure, of: .any)
        cached[failure] = (response, now + TimeSpan(.seconds(1)))
        return response
    }
}
