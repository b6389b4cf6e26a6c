import CPlatform
import Glibc
import HTTP1
import Synchronization

@testable import HTTPServer
@testable import HTTPServerTestSupport
@testable import System

/// Records the watched descriptors, and returns the events that the test sets.
struct ScriptedQueue: ReadinessQueue, ~Copyable {
    private(set) var watched: [Int32: UInt64] = [:]
    var ready: [Readiness] = []

    mutating func add(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError) {
        watched[descriptor] = token
    }

    mutating func change(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError) {
        watched[descriptor] = token
    }

    mutating func remove(_ descriptor: Int32) { watched[descriptor] = nil }
    mutating func wait(milliseconds: Int32) throws(SystemError) -> Int { ready.count }
    func event(at index: Int) -> Readiness { ready[index] }
}

/// An event loop with real sockets, driven step by step by the test, which also sets the clock.
final class LoopFixture {
    static let listener = Readiness(token: PollID.listener(0), flags: UInt32(PRESIGN_READABLE))
    private static let sequence = Atomic(0)

    let handler = ScriptedHandler()
    let clock = TestClock()
    let address: ListenAddress
    var loop: EventLoop<ScriptedQueue>

    /// - Parameter tls: The TLS settings of new connections; nil without TLS.
    init(tls: TLSSource? = nil, limits: (inout HTTPLimits) -> Void = { _ in }) throws {
        var changed = HTTPLimits()
        limits(&changed)
        let number = Self.sequence.add(1, ordering: .relaxed).newValue
        // Connections to a Unix socket can be accepted as soon as they are opened.
        let path = "/tmp/http-loop-\(getpid())-\(number).sock"
        let listener = try Listener(.unix(path: path, mode: 0o600), loops: 1, backlog: 64)
        let completions = try CompletionQueue()
        address = listener.address
        var context = LoopContext(
            handler: handler, limits: changed, timeouts: HTTPTimeouts(), completions: completions,
            buffers: BufferBudget(limit: changed.bufferedBytes),
            now: clock.uptime)
        context.clock = { [clock] in clock.uptime }
        context.wallClock = { [clock] in clock.seconds }
        loop = EventLoop(
            queue: ScriptedQueue(), context: context, listeners: listener.sockets,
            transport: LoopTransport(tls: tls, secure: [tls != nil], unix: [true]),
            control: ServerControl(listeners: [listener], completionQueues: [completions]))
    }

    deinit {
        for index in loop.slots.indices { loop.close(index) }
        loop.closeListeners()
    }

    /// A client without TLS.
    func connect() throws -> LiveClient { try LiveClient(address) }

    /// Runs an iteration in which all these are ready.
    func iterate(_ ready: [Readiness]) {
        loop.queue.ready = ready
        _ = loop.iterate()
    }

    /// The event that the connection at this index is readable or writable.
    func ready(_ index: Int, toWrite: Bool = false) -> Readiness {
        Readiness(
            token: PollID.ticket(slot: index, generation: loop.slots[index].generation),
            flags: UInt32(toWrite ? PRESIGN_WRITABLE : PRESIGN_READABLE))
    }

    func advance(seconds: Int64) { advance(.seconds(seconds)) }

    func advance(_ time: Duration) {
        clock.advance(by: time)
        loop.context.now = clock.uptime
    }
}
