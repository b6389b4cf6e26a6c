import HTTP1
import System

/// The server's own refusals under load. The handler gives each its form once a second, however many go out: nothing
/// costs less to make, and the handler's log gets one line a second instead of one for each, those included that have an
/// answer of their own.
struct ReadyRefusals {
    private var made: [(failure: HTTPFailure, until: MonotonicTime, response: HTTPResponse)] = []

    /// The answer for one of the few failures that load brings about.
    mutating func response(
        to failure: HTTPFailure, from handler: inout any HTTPHandler, at now: MonotonicTime
    ) -> HTTPResponse {
        let place = made.firstIndex { $0.failure == failure }
        if let place, now < made[place].until { return made[place].response }
        let response = handler.response(to: failure, of: .any)
        if let place { made.remove(at: place) }
        made.append((failure, now + TimeSpan(.seconds(1)), response))
        return response
    }
}
