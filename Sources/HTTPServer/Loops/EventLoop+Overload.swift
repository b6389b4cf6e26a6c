import HTTP1
import System

/// A connection that is not listened to until some time, because a request of it was refused.
struct PausedConnection {
    let ticket: UInt64
    let until: MonotonicTime
}

extension EventLoop where Queue: ~Copyable {
    /// Reads what is ready; a client of which a request had to be refused then waits.
    mutating func serve(_ index: Int) {
        let refused = context.load.refused
        read(index)
        if context.load.refused > refused { pause(index) }
    }

    /// Does not listen to a client for a moment: refusing costs nearly as much as answering, so a client that asks
    /// again at once must wait, or the refusals alone would keep the loop busy.
    mutating func pause(_ index: Int) {
        guard slots[index].isOpen, slots[index].connection.phase == .reading, !slots[index].isWriting else { return }
        slots[index].isPaused = true
        let ticket = Token.ticket(slot: index, generation: slots[index].generation)
        paused.append(PausedConnection(ticket: ticket, until: context.now + LoadGuard.pause))
        watch(index, .reading)
    }

    /// When the first pause ends.
    var pauseEnds: MonotonicTime { paused.first?.until ?? .distantFuture }

    /// Listens again to those whose pause is over, a bounded number so that new requests do not wait for them. What
    /// they sent meanwhile is old: it is refused, and the connection is then like any other.
    mutating func endPauses() {
        var ended = 0
        while ended < min(paused.count, LoadGuard.resumptionsPerTurn), paused[ended].until <= context.now {
            if let index = index(of: paused[ended].ticket), slots[index].isPaused {
                slots[index].isPaused = false
                context.isLate = true
                read(index)
                context.isLate = false
            }
            ended += 1
        }
        paused.removeFirst(ended)
    }

    /// Looks how long the turn took if that tells something, and tells the server how many were refused.
    mutating func endTurn() {
        if context.load.isTelling { context.load.learn(at: .now()) }
        let refused = context.load.takeRefused()
        if refused > 0 { control.requestsRefused(refused) }
    }

    /// Keeps the count of deferred requests, after anything may have changed it.
    mutating func countDeferred(_ index: Int, _ isDeferred: Bool) {
        guard slots[index].isDeferred != isDeferred else { return }
        slots[index].isDeferred = isDeferred
        context.load.deferred += isDeferred ? 1 : -1
    }
}
