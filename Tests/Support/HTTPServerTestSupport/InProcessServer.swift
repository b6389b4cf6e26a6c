private import Glibc
import HTTP1
package import HTTPServer
private import SocketTestSupport
package import System

/// A server without sockets, threads and time: tests pass bytes to its connections and advance its clock.
package final class InProcessServer {
    package let clock: TestClock
    var context: LoopContext
    /// The buffer and the parser that all connections share, as in an event loop.
    var request = HTTPRequest(receiving: [])
    var parser = RequestParser()
    let completions: CompletionQueue
    private var clients: [UInt64: WeakClient] = [:]
    private var lastTicket: UInt64 = 0

    private struct WeakClient {
        weak var client: InProcessClient?
    }

    package init(
        _ handler: any HTTPHandler, _ configuration: HTTPServerConfiguration, buffers: BufferBudget, clock: TestClock
    ) throws {
        self.clock = clock
        completions = try CompletionQueue()
        context = LoopContext(
            handler: handler, limits: configuration.limits, timeouts: configuration.timeouts, completions: completions,
            buffers: buffers, now: clock.uptime)
        context.clock = { clock.uptime }
    }

    /// Opens a connection from 127.0.0.1 or another address.
    package func connect(from peer: PeerAddress = .ipv4(0x7F00_0001)) -> InProcessClient {
        readClock()
        lastTicket += 1
        let client = InProcessClient(self, Connection(peer: peer, ticket: lastTicket, context: context))
        clients[lastTicket] = WeakClient(client: client)
        return client
    }

    /// Advances the clock, and ends what has timed out.
    package func advance(by time: Duration) {
        clock.advance(by: time)
        readClock()
        for entry in clients.values { entry.client?.expire() }
    }

    /// Waits until responses that other threads complete have arrived, and passes them on.
    func deliver() throws {
        var descriptor = pollfd(fd: completions.wakeDescriptor, events: Int16(POLLIN), revents: 0)
        // unsafe: the call reads and writes only the local structure.
        guard unsafe poll(&descriptor, 1, 20_000) == 1 else {
            throw RawClient.Failure(description: "no response within 20 seconds")
        }
        readClock()
        for completion in completions.collect() {
            clients[completion.ticket]?.client?.complete(with: completion.response)
        }
    }

    func readClock() {
        context.now = clock.uptime
        context.date.update(to: clock.seconds)
    }
}
