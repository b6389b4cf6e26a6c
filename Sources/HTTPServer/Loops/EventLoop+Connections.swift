import HTTP1
import System
import TLS

extension EventLoop where Queue: ~Copyable {
    /// Reads once: one call usually gets a whole request, and all there is unless it fills the buffer.
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

    /// Sends the answers just made, goes on with requests that had to wait for that, and watches for what comes next. A
    /// connection that is gone stays so.
    mutating func settle(_ index: Int) {
        while sendOutput(to: index), slots[index].connection.hasUnparsed, slots[index].connection.phase == .reading {
            slots[index].connection.resume(&context)
        }
        if !slots[index].isWriting, slots[index].connection.phase == .finishing { finish(index) }
        let phase = slots[index].connection.phase
        guard phase != .closed else { return close(index) }
        countDeferred(index, phase == .deferred)
        nextDeadline = min(nextDeadline, slots[index].connection.deadline)
        watch(index, phase)
    }

    /// Sends the context's output; true if nothing waits. What the socket does not take is kept with the connection.
    private mutating func sendOutput(to index: Int) -> Bool {
        guard !context.output.isEmpty else { return !slots[index].isWriting }
        var sent = 0
        // Anything that waits goes first.
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

    /// Keeps output until the client takes it. Without memory for that the connection ends.
    private mutating func keep(_ rest: ArraySlice<UInt8>, _ index: Int) {
        if slots[index].unsent.append(rest, chargedTo: context.buffers) {
            slots[index].connection.awaitWriting(context)
        } else {
            context.load.refuse()
            slots[index].connection.phase = .closed
        }
    }

    /// Sends some of the file that follows the output; true if there is none, or no more of it.
    private mutating func sendFile(_ index: Int) -> Bool {
        guard let transfer = slots[index].connection.transfer else { return true }
        switch advance(transfer, index) {
        case .bytes(0), .failed: slots[index].connection.phase = .closed
        // Not in all, as for answers in memory: the client may take as long as it takes.
        case .bytes, .blocked: slots[index].connection.awaitWriting(context)
        }
        guard transfer.isComplete || slots[index].connection.phase == .closed else { return false }
        slots[index].connection.transfer = nil
        slots[index].connection.finishedWaiting(context)
        return true
    }

    /// The socket takes more.
    mutating func flush(_ index: Int) {
        guard slots[index].isWriting else { return }
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

    private mutating func finish(_ index: Int) {
        // Whatever the client sends, also after a close, turns that into a reset, which destroys what it has not received
        // yet of the answer (RFC 9112 section 9.6). Of a connection that is not watched all has just been read.
        if slots[index].interest != nil || slots[index].session != nil, !Socket.hasEnded(slots[index].descriptor) {
            slots[index].connection.mustLinger = true
        }
        slots[index].connection.finishedWriting(context)
        guard slots[index].connection.phase == .lingering else { return }
        slots[index].session?.shutdown()
        Socket.finishWriting(slots[index].descriptor)
    }

    /// What tells that a connection can be read. With TLS some of what has come is left for the next iteration; of a Unix
    /// socket a read stops, and does not say so, where descriptors were sent along.
    private func arrivals(_ index: Int) -> Interest {
        slots[index].session == nil && slots[index].connection.peer != .unix ? [.read, .once] : .read
    }

    mutating func watch(_ index: Int, _ phase: Connection.Phase) {
        let interest: Interest =
            if slots[index].isWriting || awaitsReading(index) {
                .write
            } else {
                phase == .reading || phase == .lingering ? arrivals(index) : []
            }
        guard interest != slots[index].interest || slots[index].mayHaveMore else { return }
        slots[index].mayHaveMore = false
        let ticket = Token.ticket(slot: index, generation: slots[index].generation)
        do {
            if slots[index].interest == nil {
                try queue.add(slots[index].descriptor, interest, token: ticket)
            } else {
                try queue.change(slots[index].descriptor, interest, token: ticket)
            }
            slots[index].interest = interest
        } catch {
            close(index)
        }
    }

    /// Keeps the count of deferred requests, after anything may have changed it.
    private mutating func countDeferred(_ index: Int, _ isDeferred: Bool) {
        guard slots[index].isDeferred != isDeferred else { return }
        slots[index].isDeferred = isDeferred
        context.load.deferred += isDeferred ? 1 : -1
    }

    mutating func close(_ index: Int) {
        guard slots[index].isOpen else { return }
        countDeferred(index, false)
        if slots[index].interest != nil { queue.remove(slots[index].descriptor) }
        if let session = slots[index].session { end(session, index) }
        Socket.close(slots[index].descriptor)
        slots[index] = Slot(generation: slots[index].generation)
        free.append(index)
        open -= 1
        control.connectionClosed()
    }

    /// Ends what has taken too long, and finds the next deadline. Runs at most every 10 ms, however many are due.
    mutating func sweep() {
        nextDeadline = .distantFuture
        for index in slots.indices where slots[index].isOpen {
            if slots[index].connection.deadline <= context.now { expire(index) }
            if slots[index].isOpen { nextDeadline = min(nextDeadline, slots[index].connection.deadline) }
        }
        nextDeadline = max(nextDeadline, context.now + TimeSpan(.milliseconds(10)))
    }

    /// Ends a connection of which the time is over, unless the client has done what it had to: a loop that was held up, or
    /// a process that was stopped, may see the time before it sees what happened within it. A file is not sent on: whatever
    /// little its socket has room for would give it all the time anew.
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
