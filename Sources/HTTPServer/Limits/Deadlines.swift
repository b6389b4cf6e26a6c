import HTTP1
import System

/// The timeouts in the unit that connections use.
struct Deadlines: Sendable {
    let header, body, idle, write, answer, linger, drain, drainGrace: TimeSpan

    init(_ timeouts: HTTPTimeouts) {
        header = TimeSpan(timeouts.header)
        body = TimeSpan(timeouts.body)
        idle = TimeSpan(timeouts.idle)
        write = TimeSpan(timeouts.write)
        answer = TimeSpan(timeouts.answer)
        linger = TimeSpan(timeouts.linger)
        drain = TimeSpan(timeouts.drain)
        drainGrace = TimeSpan(timeouts.drainGrace)
    }
}
