import HTTP1
import System

/// The timeouts in the unit that connections use.
struct Deadlines: Sendable {
    let header, body, idle, write, response, linger, drain, drainGrace: TimeSpan

    init(_ timeouts: HTTPTimeouts) {
        header = TimeSpan(timeouts.header)
        body = TimeSpan(timeouts.body)
        idle = TimeSpan(timeouts.idle)
        write = TimeSpan(timeouts.write)
        response = TimeSpan(timeouts.response)
        linger = TimeSpan(timeouts.linger)
        drain = TimeSpan(timeouts.drain)
        drainGrace = TimeSpan(timeouts.drainGrace)
    }
}
