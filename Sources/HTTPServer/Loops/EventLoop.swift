import HTTP1
import System

/// The part of a server that runs on one thread: its listeners, its connections and the queue that reports their
/// events.
///
/// It is noncopyable because it owns the queue, which owns a descriptor.
struct EventLoop<Queue: ReadinessQueue & ~Copyable>: ~Copyable {
    /// An entry of the connection table. A slot is reused with a new generation, so events and deferred responses of
    /// its earlier connections are recognized as stale.
    struct Slot {
        /// Nil while the slot is free.
        var socket: Socket?
        var generation: UInt32 = 0
        /// The interest in the queue; nil if the descriptor is not in the queue.
        var interest: Interest?
        /// The interest that reports input.
        var readInterest = Interest.read
        /// Whether TLS must write before it can read.
        var readsAfterWriting = false
        /// Whether the closing alert of TLS waits until the socket takes it.
        var owesAlert = false
        /// Whether the connection is counted in `LoadShedder.deferred`.
        var isDeferred = false
        /// Whether the last read may have left input that edge-triggered polling does not report again.
        var mayHaveMore = false
        /// Nil for plain HTTP.
        var session: TLSSession?
        /// The version of the TLS settings that accepted the client.
        var settings = 0
        /// Closed while the slot is free.
        var connection = Connection.closed
        var unsent = UnsentOutput()

        var isOpen: Bool { socket != nil }

        /// Whether responses, or the alert after the last one, wait for the client to read them.
        var isWriting: Bool { !unsent.isEmpty || connection.transfer != nil || owesAlert }
    }

    var queue: Queue
    var context: LoopContext
    var listeners: [Socket]
    var transport: LoopTransport
    let control: ServerControl
    var slots: [Slot] = []
    /// The indices of free slots.
    var free: [Int] = []
    /// The number of open connections.
    var open = 0
    /// The read buffer that all connections share, and the request parsed in it.
    var request = HTTPRequest(receiving: [UInt8](repeating: 0, count: 64 * 1024))
    var parser = RequestParser()
    /// A time that is not later than any connection's deadline.
    var nextDeadline = MonotonicTime.distantFuture
    /// When to accept again after running out of descriptors; nil while accepting.
    var acceptsAgain: MonotonicTime?
    var isListening = true
    /// Ordered by the time at which they are closed.
    var rejected: [RejectedConnection] = []
    var drainDeadline = MonotonicTime.distantFuture

    /// The maximum number of slots reserved at the start.
    private static var mostReserved: Int { 1 << 16 }

    init(
        queue: consuming Queue, context: LoopContext, listeners: [Socket], transport: LoopTransport,
        control: ServerControl
    ) {
        self.queue = queue
        self.context = context
        self.listeners = listeners
        self.transport = transport
        self.control = control
        // Growing the table under load would fragment the heap; reserved memory is not resident until it is used.
        slots.reserveCapacity(min(context.limits.connections, Self.mostReserved))
    }

    /// Serves until `shutdown()` is called and the last connection has ended.
    mutating func run() {
        if watchDescriptors() { while iterate() {} }
        stop()
    }

    /// Waits for events and handles them. Returns false once the loop must end.
    mutating func iterate() -> Bool {
        guard !(context.isDraining && open == 0), let count = waitForEvents() else { return false }
        beginIteration()
        // Before the events, so that their responses announce that the connection closes.
        if control.isStopping, !context.isDraining { beginDraining() }
        for index in 0..<count { handle(queue.event(at: index)) }
        if nextDeadline <= context.now { sweep() }
        closeRejected(before: context.now)
        if let time = acceptsAgain, time <= context.now { resumeAccepting() }
        control.requestsRefused(context.load.takeRefused())
        control.bytesDiscarded(context.discarded)
        context.discarded = 0
        return context.now < drainDeadline
    }

    private mutating func waitForEvents() -> Int? {
        do throws(SystemError) {
            return try queue.wait(milliseconds: pollTimeout())
        } catch {
            control.loopFailed(error)
            return nil
        }
    }

    mutating func watchDescriptors() -> Bool {
        readClocks()
        do throws(SystemError) {
            try queue.add(context.completions.wakeDescriptor, .read, token: PollID.completions)
            for (index, listener) in listeners.enumerated() {
                try queue.add(listener.descriptor, [.read, .exclusive], token: PollID.listener(index))
            }
            return true
        } catch {
            control.loopFailed(error)
            return false
        }
    }

    /// Prepares for the events of an iteration.
    mutating func beginIteration() {
        readClocks()
        transport.handshakes = LoopTransport.handshakesPerIteration
        context.load.beginIteration()
    }

    private mutating func readClocks() {
        context.now = context.clock()
        context.date.update(to: context.wallClock())
    }

    /// The milliseconds until the next deadline.
    private func pollTimeout() -> Int32 {
        let accepting = min(acceptsAgain ?? .distantFuture, rejected.first?.until ?? .distantFuture)
        return min(nextDeadline, drainDeadline, accepting).milliseconds(from: context.now)
    }

    mutating func handle(_ event: Readiness) {
        if event.token == PollID.completions { return deliver() }
        if let listener = PollID.listenerIndex(event.token) {
            accept(from: listener)
            // Another process closed the shared listener. Stop polling it, or epoll reports the error in every
            // iteration.
            if event.isBroken, listener < listeners.count { queue.remove(listeners[listener].descriptor) }
            return
        }
        guard let index = index(of: event.token) else { return }
        if event.isWritable {
            if readsWhenWritable(index) { return read(index) }
            flush(index)
        }
        if event.isReadable {
            slots[index].mayHaveMore = event.mayHaveMore
            read(index)
        } else if event.isBroken {
            close(index)
        }
    }

    /// The slot of a ticket; nil if its connection has ended.
    func index(of ticket: UInt64) -> Int? {
        let index = PollID.slot(ticket)
        guard index < slots.count, slots[index].generation == PollID.generation(ticket),
            slots[index].isOpen
        else { return nil }
        return index
    }

    /// Passes completed deferred responses to their connections.
    private mutating func deliver() {
        for completion in context.completions.collect() {
            guard let index = index(of: completion.ticket) else { continue }
            slots[index].connection.complete(with: completion.response, &context)
            settle(index)
        }
    }

    /// Closes everything that is still open.
    mutating func stop() {
        closeListeners()
        for index in slots.indices where slots[index].isOpen { close(index) }
        closeRejected(before: .distantFuture)
        queue.remove(context.completions.wakeDescriptor)
        context.completions.close()
    }
}

/// The numbers that identify descriptors in events. A connection's number is its ticket, which combines a slot with its
/// generation; generations begin at 1.
package enum PollID {
    static let completions: UInt64 = .max

    static func listener(_ index: Int) -> UInt64 { UInt64(index) }

    /// The index of a listener, which has generation 0; nil for a ticket.
    static func listenerIndex(_ token: UInt64) -> Int? { token >> 32 == 0 ? Int(token) : nil }

    static func ticket(slot: Int, generation: UInt32) -> UInt64 { UInt64(generation) << 32 | UInt64(slot) }

    package static func slot(_ ticket: UInt64) -> Int { Int(ticket & 0xFFFF_FFFF) }

    static func generation(_ ticket: UInt64) -> UInt32 { UInt32(ticket >> 32) }
}
