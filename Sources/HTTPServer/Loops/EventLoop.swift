import HTTP1
import System
import TLS

/// One thread's share of a server: its listeners, its connections, and the wait for what they do next.
///
/// It is a value owned by the block that runs it, so no access needs a lock or a dynamic exclusivity check.
struct EventLoop<Queue: ReadinessQueue & ~Copyable>: ~Copyable {
    /// A connection's place in the table. Places are used again under a new generation, so that an event or a deferred
    /// answer for the one before is told apart. The small fields stand together, as there are many places.
    struct Slot {
        var descriptor: Int32 = -1
        var generation: UInt32 = 0
        var interest: Interest?
        /// Nothing can be read before something is written.
        var readsAfterWriting = false
        /// Counted among the deferred requests.
        var isDeferred = false
        /// There may be more to read than was read, which the queue does not tell of again by itself.
        var mayHaveMore = false
        /// Nil: what is read and written is what is meant.
        var session: TLSSession?
        /// Which of the server's settings has accepted the client's certificate.
        var settings = 0
        /// Closed while the place is free. Not an optional: looking into one copies the whole connection.
        var connection = Connection.closed
        var unsent = UnsentOutput()

        var isOpen: Bool { descriptor >= 0 }

        /// Answers wait for the client to take them.
        var isWriting: Bool { !unsent.isEmpty || connection.transfer != nil }
    }

    var queue: Queue
    var context: LoopContext
    var listeners: [Int32]
    var transport: LoopTransport
    let control: ServerControl
    var slots: [Slot] = []
    var free: [Int] = []
    var open = 0
    /// One for all connections: what they receive is read into its bytes.
    var request = HTTPRequest(receiving: [UInt8](repeating: 0, count: 64 * 1024))
    var parser = RequestParser()
    /// No deadline is earlier.
    var nextDeadline = MonotonicTime.distantFuture
    /// When to accept again after running out of descriptors.
    var acceptsAgain: MonotonicTime?
    var isListening = true
    /// In the order in which they are closed.
    var rejected: [RejectedConnection] = []
    var drainDeadline = MonotonicTime.distantFuture

    /// The most places there is room for from the beginning.
    private static var mostReserved: Int { 1 << 16 }

    init(
        queue: consuming Queue, context: LoopContext, listeners: [Int32], transport: LoopTransport,
        control: ServerControl
    ) {
        self.queue = queue
        self.context = context
        self.listeners = listeners
        self.transport = transport
        self.control = control
        // Room that is not used costs no memory, while a table that grows leaves holes as large as it was.
        slots.reserveCapacity(min(context.limits.connections, Self.mostReserved))
    }

    /// Serves until `shutdown()` and the end of the last connection.
    mutating func run() {
        guard watchDescriptors() else { return stop() }
        while !(context.isDraining && open == 0) {
            guard let count = waitForEvents() else { break }
            beginIteration()
            // First, so that an answer given from here on says that it is the last.
            if control.isStopping, !context.isDraining { beginDraining() }
            for position in 0..<count { handle(queue.event(at: position)) }
            if nextDeadline <= context.now { sweep() }
            closeRejected(before: context.now)
            if let time = acceptsAgain, time <= context.now { resumeAccepting() }
            control.requestsRefused(context.load.takeRefused())
            if context.now >= drainDeadline { break }
        }
        stop()
    }

    private mutating func waitForEvents() -> Int? {
        do throws(SystemError) {
            return try queue.wait(milliseconds: pollTimeout())
        } catch {
            control.loopFailed(error)
            return nil
        }
    }

    private mutating func watchDescriptors() -> Bool {
        readClocks()
        do throws(SystemError) {
            try queue.add(context.completions.wakeDescriptor, .read, token: Token.completions)
            for (index, listener) in listeners.enumerated() {
                try queue.add(listener, [.read, .exclusive], token: Token.listener(index))
            }
            return true
        } catch {
            control.loopFailed(error)
            return false
        }
    }

    /// What comes before the events of an iteration.
    mutating func beginIteration() {
        readClocks()
        transport.handshakes = LoopTransport.handshakesPerIteration
        context.load.beginIteration()
    }

    private mutating func readClocks() {
        context.now = context.clock()
        context.date.update(to: WallClock.seconds())
    }

    /// Milliseconds until something is due.
    private func pollTimeout() -> Int32 {
        let accepting = min(acceptsAgain ?? .distantFuture, rejected.first?.until ?? .distantFuture)
        return min(nextDeadline, drainDeadline, accepting).milliseconds(from: context.now)
    }

    mutating func handle(_ event: Readiness) {
        if event.token == Token.completions { return deliver() }
        if let listener = Token.listenerIndex(event.token) {
            accept(from: listener)
            // Another process closed the shared listener. Stop polling it, or epoll reports the error in every iteration.
            if event.isBroken, listener < listeners.count { queue.remove(listeners[listener]) }
            return
        }
        guard let index = index(of: event.token) else { return }
        if event.isWritable {
            if awaitsReading(index) { return read(index) }
            flush(index)
        }
        if event.isReadable {
            slots[index].mayHaveMore = event.mayHaveMore
            read(index)
        } else if event.isBroken {
            close(index)
        }
    }

    /// The slot a ticket stands for, unless its connection is gone.
    func index(of ticket: UInt64) -> Int? {
        let index = Token.slot(ticket)
        guard index < slots.count, slots[index].generation == Token.generation(ticket),
            slots[index].isOpen
        else { return nil }
        return index
    }

    /// Deferred answers.
    private mutating func deliver() {
        for letter in context.completions.collect() {
            guard let index = index(of: letter.ticket) else { continue }
            slots[index].connection.complete(with: letter.response, &context)
            settle(index)
        }
    }

    /// Whatever is still open is closed.
    private mutating func stop() {
        closeListeners()
        for index in slots.indices where slots[index].isOpen { close(index) }
        closeRejected(before: .distantFuture)
        queue.remove(context.completions.wakeDescriptor)
        context.completions.close()
    }
}

/// Tokens tell descriptors apart in events: a ticket is a slot and its generation; generations begin at 1.
package enum Token {
    static let completions: UInt64 = .max

    static func listener(_ index: Int) -> UInt64 { UInt64(index) }

    /// Generation 0 is the listeners'.
    static func listenerIndex(_ token: UInt64) -> Int? { token >> 32 == 0 ? Int(token) : nil }

    static func ticket(slot: Int, generation: UInt32) -> UInt64 { UInt64(generation) << 32 | UInt64(slot) }

    package static func slot(_ ticket: UInt64) -> Int { Int(ticket & 0xFFFF_FFFF) }

    static func generation(_ ticket: UInt64) -> UInt32 { UInt32(ticket >> 32) }
}
