import HTTP1
import System

/// The server's responses to requests that it refuses for want of capacity. The handler makes each once a second, so a
/// flood of refused requests costs little and adds one line a second to the log.
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
