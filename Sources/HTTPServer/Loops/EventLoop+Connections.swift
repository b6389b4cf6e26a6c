import HTTP1
import System

extension EventLoop where Queue: ~Copyable {
    /// Reads once. A read usually returns a whole request, and returns all available input unless it fills the buffer.
    mutating func read(_ index: Int) {
        let phase = slots[index].connection.phase
        guard phase == .reading || phase == .lingering else { return }
        switch receive(index) {
        case .bytes(0): slots[index].connection.receiveEnd(&context)
        case .bytes(let count):
            if count == request.headers.bytes.count { slots[index].mayHaveMore = true }
            slots[index].connection.receive(0..<count, of: &request, &parser, &context)
        case .blocked: break
        case .failed: close(index)
        }
        if let session = slots[index].session, session.isEstablished {
            slots[index].connection.note(isWithinRecord: session.isWithinRecord, context)
        }
        settle(index)
    }

    /// Updates a connection after any change: sends its output, parses the requests that waited for that, and updates
    /// its deadline and polling. It has no effect on a closed connection.
    mutating func settle(_ index: Int) {
        while sendOutput(to: index), slots[index].connection.hasUnparsed, slots[index].connection.phase == .reading {
            slots[index].connection.resume(&context)
        }
        if !slots[index].isWriting, slots[index].connection.phase == .finishing { finish(index) }
        let phase = slots[index].connection.phase
        guard phase != .closed else { return close(index) }
        countDeferred(index, phase == .deferred)
        nextDeadline = min(nextDeadline, slots[index].connection.deadline)
        updateInterest(index, phase)
    }

    /// Sends the context's output and the file after it, and keeps the part that the socket does not take. Returns true
    /// if nothing is left to send.
    private mutating func sendOutput(to index: Int) -> Bool {
        guard !context.output.isEmpty else { return !slots[index].isWriting }
        var sent = 0
        // Output that is already waiting goes first.
        if slots[index].unsent.isEmpty {
            switch send(index, context.output, context.output.indices) {
            case .bytes(let count): sent = count
            case .blocked: break
            case .failed:
                slots[index].connection.phase = .closed
                sent = context.output.count
            }
        }
        if sent < context.output.count { keep(context.output[sent...], index) }
        context.clearOutput()
        return slots[index].unsent.isEmpty && sendFile(index)
    }

    /// Keeps output until the client reads it. Closes the connection if the memory budget does not allow that.
    private mutating func keep(_ rest: ArraySlice<UInt8>, _ index: Int) {
        if slots[index].unsent.append(rest, chargedTo: context.buffers) {
            slots[index].connection.awaitWriting(context)
        } else {
            context.load.refuse()
            slots[index].connection.phase = .closed
        }
    }

    /// Sends the next piece of the file that follows the output. Returns true if no file, or no more of it, is left.
    private mutating func sendFile(_ index: Int) -> Bool {
        guard let transfer = slots[index].connection.transfer else { return true }
        switch advance(transfer, index) {
        case .bytes(0), .failed: slots[index].connection.phase = .closed
        // Each piece restarts the write timeout, because a file may have any size.
        case .bytes, .blocked: slots[index].connection.awaitWriting(context)
        }
        guard transfer.isComplete || slots[index].connection.phase == .closed else { return false }
        slots[index].connection.transfer = nil
        slots[index].connection.finishedWaiting(context)
        return true
    }

    /// Continues sending once the socket is writable.
    mutating func flush(_ index: Int) {
        guard slots[index].isWriting else { return }
        slots[index].owesAlert = false
        if !slots[index].unsent.isEmpty {
            switch send(index, slots[index].unsent.bytes, slots[index].unsent.rest) {
            case .bytes(let count): slots[index].unsent.advance(by: count)
            case .blocked: return
            case .failed: return close(index)
            }
            guard slots[index].unsent.isEmpty else { return }
            slots[index].connection.finishedWaiting(context)
        }
        if sendFile(index) { settle(index) } else { nextDeadline = min(nextDeadline, slots[index].connection.deadline) }
    }

    /// Ends the output of a connection whose last response is sent.
    private mutating func finish(_ index: Int) {
        // Without the alert, the client must take the last response for cut short (RFC 8446 section 6.1).
        if slots[index].session?.shutdown() == .wantsWrite {
            slots[index].owesAlert = true
            return slots[index].connection.awaitWriting(context)
        }
        // Closing with unread input sends RST and can discard response bytes in flight, so linger (RFC 9112 section
        // 9.6). A connection that is not polled yet has no unread input, unless it uses TLS.
        if slots[index].interest != nil || slots[index].session != nil, slots[index].socket?.hasEnded == false {
            slots[index].connection.mustLinger = true
        }
        slots[index].connection.finishedWriting(context)
        guard slots[index].connection.phase == .lingering else { return }
        slots[index].socket?.finishWriting()
    }

    /// Polls the connection for what its phase needs next.
    private mutating func updateInterest(_ index: Int, _ phase: Connection.Phase) {
        let interest: Interest =
            if slots[index].isWriting || readsWhenWritable(index) {
                .write
            } else {
                phase == .reading || phase == .lingering ? slots[index].readInterest : []
            }
        guard interest != slots[index].interest || slots[index].mayHaveMore, let socket = slots[index].socket else {
            return
        }
        slots[index].mayHaveMore = false
        let ticket = PollID.ticket(slot: index, generation: slots[index].generation)
        do {
            if slots[index].interest == nil {
                try queue.add(socket.descriptor, interest, token: ticket)
            } else {
                try queue.change(socket.descriptor, interest, token: ticket)
            }
            slots[index].interest = interest
        } catch {
            close(index)
        }
    }

    /// Updates the number of deferred requests if the connection has entered or left `.deferred`.
    private mutating func countDeferred(_ index: Int, _ isDeferred: Bool) {
        guard slots[index].isDeferred != isDeferred else { return }
        slots[index].isDeferred = isDeferred
        context.load.deferred += isDeferred ? 1 : -1
    }

    mutating func close(_ index: Int) {
        guard let socket = slots[index].socket else { return }
        countDeferred(index, false)
        if slots[index].interest != nil { queue.remove(socket.descriptor) }
        if let session = slots[index].session { endTLS(session, socket) }
        // Releases the socket, which closes it.
        slots[index] = Slot(generation: slots[index].generation)
        free.append(index)
        open -= 1
        control.connectionClosed()
    }

    /// Expires the connections whose deadline has passed, and finds the next deadline. It runs at most every 10 ms.
    mutating func sweep() {
        nextDeadline = .distantFuture
        for index in slots.indices where slots[index].isOpen {
            if slots[index].connection.deadline <= context.now { expire(index) }
            if slots[index].isOpen { nextDeadline = min(nextDeadline, slots[index].connection.deadline) }
        }
        nextDeadline = max(nextDeadline, context.now + TimeSpan(.milliseconds(10)))
    }

    /// Expires a connection, unless progress that the client made in time is still unprocessed. A loop that was
    /// delayed, or a process that was stopped, may see the deadline first. A file transfer is not continued, because
    /// any progress would restart its timeout.
    private mutating func expire(_ index: Int) {
        if !slots[index].unsent.isEmpty {
            flush(index)
        } else if !slots[index].isWriting, slots[index].connection.phase == .reading {
            read(index)
        }
        guard slots[index].isOpen, slots[index].connection.deadline <= context.now else { return }
        let isWriting = slots[index].isWriting
        slots[index].connection.expire(isWriting: isWriting, &context)
        settle(index)
    }
}
