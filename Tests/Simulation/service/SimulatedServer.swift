import Glibc
import HTTP1
import SocketTestSupport
import System

@testable import HTTPServer
@testable import HTTPServerTestSupport

/// One side of a connection: what has arrived at the server, and what its socket has taken.
final class SimulatedConnection {
    fileprivate(set) var state: Connection
    fileprivate var unsent = UnsentOutput()
    /// The bytes that the server can read.
    var arrived: [UInt8] = []
    /// Whether the client has ended its direction after `arrived`.
    var hasEnded = false
    /// The number of bytes that the socket takes until the client reads some.
    var window = 0
    /// Everything that the server has written, sent or not.
    fileprivate(set) var produced: [UInt8] = []
    /// What the socket has taken.
    fileprivate(set) var sent: [UInt8] = []
    /// The number of bytes that the server has read.
    fileprivate(set) var readCount = 0
    fileprivate(set) var isOpen = true

    fileprivate init(_ state: Connection) { self.state = state }

    var isWriting: Bool { !unsent.isEmpty }
    var canRead: Bool { isOpen && !isWriting && (state.phase == .reading || state.phase == .lingering) }
}

/// The event loop without sockets: it drives connections as `EventLoop` does, but the simulation decides how many bytes
/// each read and write moves, and when anything happens.
final class SimulatedServer {
    private let server: InProcessServer
    private(set) var connections: [SimulatedConnection] = []
    private var lastTicket: UInt64 = 0
    private var deferredTickets: Set<UInt64> = []

    init(
        _ handler: any HTTPHandler, _ configuration: HTTPServerConfiguration, buffers: BufferBudget, clock: TestClock
    ) throws {
        server = try InProcessServer(handler, configuration, buffers: buffers, clock: clock)
    }

    /// The number of requests that wait for a deferred response.
    var deferred: Int { server.context.load.deferred }

    func connect() -> SimulatedConnection {
        beginIteration()
        lastTicket += 1
        let connection = SimulatedConnection(
            Connection(peer: .ipv4(0x7F00_0001), ticket: lastTicket, context: server.context))
        connections.append(connection)
        return connection
    }

    /// Lets the server read once, at most `count` bytes.
    func read(_ connection: SimulatedConnection, atMost count: Int) {
        guard connection.canRead else { return }
        beginIteration()
        if connection.arrived.isEmpty {
            guard connection.hasEnded else { return }
            connection.state.receiveEnd(&server.context)
        } else {
            let piece = Array(connection.arrived.prefix(count))
            connection.arrived.removeFirst(piece.count)
            connection.readCount += piece.count
            server.request.headers.bytes = piece
            connection.state.receive(piece.indices, of: &server.request, &server.parser, &server.context)
        }
        settle(connection)
    }

    /// Lets the socket take more bytes.
    func open(_ connection: SimulatedConnection, window: Int) {
        connection.window += window
        guard connection.isOpen, connection.isWriting else { return }
        beginIteration()
        if let count = send(connection, connection.unsent.bytes[connection.unsent.rest]) {
            connection.unsent.advance(by: count)
        }
        guard connection.unsent.isEmpty else { return }
        connection.state.finishedWaiting(server.context)
        settle(connection)
    }

    /// The client resets the connection.
    func reset(_ connection: SimulatedConnection) { close(connection) }

    /// Passes on the deferred responses, if the loop was woken for them.
    func deliver() {
        var descriptor = pollfd(fd: server.completions.wakeDescriptor, events: Int16(POLLIN), revents: 0)
        // unsafe: the call reads and writes only the local structure.
        guard unsafe poll(&descriptor, 1, 0) == 1 else { return }
        beginIteration()
        for completion in server.completions.collect() {
            guard let found = connections.first(where: { $0.isOpen && $0.state.ticket == completion.ticket }) else {
                continue
            }
            found.state.complete(with: completion.response, &server.context)
            settle(found)
        }
    }

    /// Lets time pass, and ends what has timed out.
    func advance(by time: Duration) {
        server.clock.advance(by: time)
        beginIteration()
        for connection in connections where connection.isOpen && connection.state.deadline <= server.context.now {
            expire(connection)
        }
    }

    /// Forgets the connections that have ended.
    func removeClosed() { connections.removeAll { !$0.isOpen } }

    private func beginIteration() {
        server.readClock()
        server.context.load.beginIteration()
    }

    /// A client that made progress in time does not time out, although the loop sees it late.
    private func expire(_ connection: SimulatedConnection) {
        if connection.canRead, !connection.arrived.isEmpty { read(connection, atMost: 64 * 1024) }
        guard connection.isOpen, connection.state.deadline <= server.context.now else { return }
        connection.state.expire(isWriting: connection.isWriting, &server.context)
        settle(connection)
    }

    private func settle(_ connection: SimulatedConnection) {
        while sendOutput(to: connection), connection.state.hasUnparsed, connection.state.phase == .reading {
            connection.state.resume(&server.context)
        }
        if !connection.isWriting, connection.state.phase == .finishing {
            connection.state.mustLinger = !connection.hasEnded
            connection.state.finishedWriting(server.context)
        }
        countDeferred(connection)
        if connection.state.phase == .closed { close(connection) }
    }

    private func sendOutput(to connection: SimulatedConnection) -> Bool {
        guard !server.context.output.isEmpty else { return !connection.isWriting }
        connection.produced += server.context.output
        var count = 0
        if connection.unsent.isEmpty { count = send(connection, server.context.output[...]) ?? 0 }
        if count < server.context.output.count {
            if connection.unsent.append(server.context.output[count...], chargedTo: server.context.buffers) {
                connection.state.awaitWriting(server.context)
            } else {
                connection.state.phase = .closed
            }
        }
        server.context.clearOutput()
        return connection.unsent.isEmpty
    }

    /// Sends what the socket takes. Returns nil if it takes nothing.
    private func send(_ connection: SimulatedConnection, _ bytes: ArraySlice<UInt8>) -> Int? {
        let count = min(bytes.count, connection.window)
        guard count > 0 else { return nil }
        connection.window -= count
        connection.sent += bytes.prefix(count)
        return count
    }

    private func countDeferred(_ connection: SimulatedConnection) {
        deferredTickets.remove(connection.state.ticket)
        if connection.state.phase == .deferred { deferredTickets.insert(connection.state.ticket) }
        server.context.load.deferred = deferredTickets.count
    }

    private func close(_ connection: SimulatedConnection) {
        guard connection.isOpen else { return }
        connection.isOpen = false
        connection.unsent = UnsentOutput()
        deferredTickets.remove(connection.state.ticket)
        server.context.load.deferred = deferredTickets.count
        // As in the loop's table, nothing of the connection outlives it.
        connection.state = Connection(peer: .unix, ticket: 0, context: server.context)
    }
}
