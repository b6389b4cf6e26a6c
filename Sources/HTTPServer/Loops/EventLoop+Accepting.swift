import HTTP1
import System

/// A connection beyond the limit, which has its response and waits for its request.
struct RejectedConnection {
    /// How many a loop keeps open; more are closed at once.
    static let most = 32
    /// How long it stays open.
    static let lifetime = TimeSpan(.milliseconds(500))

    let descriptor: Int32
    let until: MonotonicTime
}

extension EventLoop where Queue: ~Copyable {
    /// Accepts the connections that wait, a bounded number so that the open ones are served in between.
    mutating func accept(from listener: Int, atMost limit: Int? = nil) {
        guard listener < listeners.count, acceptsAgain == nil else { return }
        for _ in 0..<(limit ?? context.limits.accepts) {
            switch Socket.accept(listeners[listener]) {
            case .connection(let descriptor, let peer):
                admit(descriptor, peer, transport.isSecure(listener))
            case .none: return
            case .gone: continue
            case .unavailable: return pauseAccepting()
            }
        }
    }

    /// Reads at once: the request is often there already, and a connection that closes after its response is never
    /// registered anywhere.
    private mutating func admit(_ descriptor: Int32, _ peer: PeerAddress, _ isSecure: Bool) {
        guard control.connectionOpened(limit: context.limits.connections) else {
            return turnAway(descriptor, isSecure)
        }
        let index = free.popLast() ?? slots.count
        if index == slots.count { slots.append(Slot()) }
        slots[index].generation = slots[index].generation &+ 1 == 0 ? 1 : slots[index].generation &+ 1
        slots[index].descriptor = descriptor
        let ticket = Token.ticket(slot: index, generation: slots[index].generation)
        slots[index].connection = Connection(peer: peer, ticket: ticket, context: context)
        open += 1
        if isSecure { guard secure(index) else { return close(index) } }
        read(index)
    }

    /// Responds with 503 and closes. Closing before the request arrives would send a reset that may destroy the response,
    /// so some of these connections stay open for a moment (RFC 9112 section 9.6).
    ///
    /// With TLS it only closes: to say why would take a handshake.
    private mutating func turnAway(_ descriptor: Int32, _ isSecure: Bool) {
        context.load.refuse()
        let received = Socket.receive(descriptor, into: &request.headers.bytes)
        if isSecure { return Socket.close(descriptor) }
        var form = HTTPResponse.Form(closes: true)
        if case .bytes(let count) = received { form.omitsBody = Connection.isHEAD(request.headers.bytes[..<count]) }
        context.refusal(.tooManyConnections).serialize(as: form, date: context.date.bytes, to: &context.output)
        _ = Socket.send(descriptor, context.output, context.output.indices)
        context.clearOutput()
        Socket.finishWriting(descriptor)
        if case .blocked = received, rejected.count < RejectedConnection.most {
            let until = context.now + RejectedConnection.lifetime
            rejected.append(RejectedConnection(descriptor: descriptor, until: until))
        } else {
            Socket.close(descriptor)
        }
    }

    /// Closes the connections turned away before `time`.
    mutating func closeRejected(before time: MonotonicTime) {
        while let first = rejected.first, first.until <= time {
            _ = Socket.receive(first.descriptor, into: &request.headers.bytes)
            Socket.close(first.descriptor)
            rejected.removeFirst()
        }
    }

    /// Listeners from which nothing can be taken would stay ready, and the loop would spin.
    private mutating func pauseAccepting() {
        for listener in listeners { queue.remove(listener) }
        acceptsAgain = context.now + TimeSpan(.milliseconds(100))
    }

    mutating func resumeAccepting() {
        acceptsAgain = nil
        for (index, listener) in listeners.enumerated() {
            do {
                try queue.add(listener, [.read, .exclusive], token: Token.listener(index))
            } catch {
                return pauseAccepting()
            }
        }
    }

    /// Takes what has already connected, then no more; connections that are owed nothing go.
    mutating func beginDraining() {
        context.isDraining = true
        drainDeadline = context.now + context.deadlines.drain
        for index in listeners.indices { accept(from: index, atMost: context.limits.connections) }
        closeListeners()
        for index in slots.indices where slots[index].connection.owesNothing && !slots[index].isWriting {
            // A request may have arrived that no event has told of yet.
            read(index)
            slots[index].connection.drain(context)
            if slots[index].isOpen { settle(index) }
        }
    }

    mutating func closeListeners() {
        guard isListening else { return }
        isListening = false
        if acceptsAgain == nil { for listener in listeners { queue.remove(listener) } }
        acceptsAgain = nil
        listeners = []
        control.loopReleasedListeners()
    }
}
