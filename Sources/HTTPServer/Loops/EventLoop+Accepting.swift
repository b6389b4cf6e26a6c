import HTTP1
import System

/// A connection beyond the limit that has its 503 and stays open until its request arrives.
struct RejectedConnection {
    /// The maximum number that a loop keeps open; further ones are closed at once.
    static let most = 32
    /// How long one stays open.
    static let lifetime = TimeSpan(.milliseconds(500))

    let socket: Socket
    let until: MonotonicTime
}

extension EventLoop where Queue: ~Copyable {
    /// Accepts waiting connections, at most `limit` (by default `HTTPLimits.accepts`), then returns to the open ones.
    mutating func accept(from listener: Int, atMost limit: Int? = nil) {
        guard listener < listeners.count, acceptsAgain == nil else { return }
        for _ in 0..<(limit ?? context.limits.accepts) {
            switch listeners[listener].accept() {
            case .connection(let socket, let peer): admit(socket, peer, listener)
            case .none: return
            case .gone: continue
            case .unavailable: return pauseAccepting()
            }
        }
    }

    /// Opens a connection and reads at once, because the request has often arrived already. A connection that closes
    /// after its response is then never added to the queue.
    private mutating func admit(_ socket: Socket, _ peer: PeerAddress, _ listener: Int) {
        let isSecure = transport.isSecure(listener)
        guard control.connectionOpened(limit: context.limits.connections) else {
            return reject(socket, isSecure)
        }
        let index = free.popLast() ?? slots.count
        if index == slots.count { slots.append(Slot()) }
        slots[index].generation = slots[index].generation &+ 1 == 0 ? 1 : slots[index].generation &+ 1
        slots[index].socket = socket
        slots[index].readInterest = transport.readInterest(of: listener)
        let ticket = PollID.ticket(slot: index, generation: slots[index].generation)
        slots[index].connection = Connection(peer: peer, ticket: ticket, context: context)
        open += 1
        if isSecure { guard beginTLS(index) else { return close(index) } }
        read(index)
    }

    /// Responds with 503 and closes. A request that arrives after the close triggers RST, which can discard the
    /// response, so some of these connections stay open for a moment (RFC 9112 section 9.6).
    ///
    /// A TLS connection is closed without a response, which would require a handshake.
    private mutating func reject(_ socket: Socket, _ isSecure: Bool) {
        context.load.refuse()
        let received = socket.receive(into: &request.headers.bytes)
        if isSecure { return }
        var form = HTTPResponse.Form(closes: true)
        if case .bytes(let count) = received { form.omitsBody = Connection.isHEAD(request.headers.bytes[..<count]) }
        context.refusal(.tooManyConnections).serialize(as: form, date: context.date.bytes, to: &context.output)
        _ = socket.send(context.output, context.output.indices)
        context.clearOutput()
        socket.finishWriting()
        if case .blocked = received, rejected.count < RejectedConnection.most {
            rejected.append(RejectedConnection(socket: socket, until: context.now + RejectedConnection.lifetime))
        }
    }

    /// Closes the rejected connections that are due by `time`.
    mutating func closeRejected(before time: MonotonicTime) {
        while let first = rejected.first, first.until <= time {
            _ = first.socket.receive(into: &request.headers.bytes)
            rejected.removeFirst()
        }
    }

    /// Stops polling the listeners for 100 ms. When no descriptor is free, they stay ready and the loop would spin.
    private mutating func pauseAccepting() {
        for listener in listeners { queue.remove(listener.descriptor) }
        acceptsAgain = context.now + TimeSpan(.milliseconds(100))
    }

    mutating func resumeAccepting() {
        acceptsAgain = nil
        for (index, listener) in listeners.enumerated() {
            do {
                try queue.add(listener.descriptor, [.read, .exclusive], token: PollID.listener(index))
            } catch {
                return pauseAccepting()
            }
        }
    }

    /// Accepts the connections that already wait, closes the listeners and shortens the deadlines of idle connections.
    mutating func beginDraining() {
        context.isDraining = true
        drainDeadline = context.now + context.deadlines.drain
        for index in listeners.indices { accept(from: index, atMost: context.limits.connections) }
        closeListeners()
        for index in slots.indices where slots[index].connection.owesNothing && !slots[index].isWriting {
            // A request may have arrived that no event has reported yet.
            read(index)
            slots[index].connection.drain(context)
            if slots[index].isOpen { settle(index) }
        }
    }

    mutating func closeListeners() {
        guard isListening else { return }
        isListening = false
        if acceptsAgain == nil { for listener in listeners { queue.remove(listener.descriptor) } }
        acceptsAgain = nil
        listeners = []
        control.loopReleasedListeners()
    }
}
