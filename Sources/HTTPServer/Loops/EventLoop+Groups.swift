import HTTP1
import System
import TLS

/// What one read of a connection gave, until the answers to it are sent.
struct Arrival {
    /// The connection's place in the table.
    let index: Int
    /// The part of the loop's buffer that was read into.
    let part: Range<Int>
    let outcome: Socket.Outcome
    /// Where the answers stand in the output.
    var answers = 0..<0
    /// A request was refused.
    var isRefused = false
}

/// Reads of several connections are done first, then all are answered, then all answers are sent.
///
/// Each of the three takes much code and memory that the other two drive out of the processor's caches. With 256 busy
/// connections a request costs 5 % less processor time than with one connection served after the other.
extension EventLoop where Queue: ~Copyable {
    /// The most connections in a group. All are answered before the first gets its answer, which takes microseconds.
    static var groupSize: Int { 32 }

    /// Handles the events of a turn.
    mutating func handleEvents(_ count: Int) {
        for position in 0..<count {
            let event = queue.event(at: position)
            if event.isReadable, !event.isWritable, let index = index(of: event.token), fitsGroup(index) {
                slots[index].mayHaveMore = event.isParted
                readIntoRest(index)
            } else {
                // It may use the whole buffer.
                serveGroup()
                handle(event)
            }
        }
        serveGroup()
    }

    /// A session needs all the room, as it may hold back what finds none.
    private func fitsGroup(_ index: Int) -> Bool {
        slots[index].connection.phase == .reading && slots[index].session == nil
    }

    /// Reads behind what the group has read, of which there may be half a buffer at most: each has as much room again.
    private mutating func readIntoRest(_ index: Int) {
        let part = groupEnd..<request.headers.bytes.count
        let outcome = Socket.receive(slots[index].descriptor, into: &request.headers.bytes, part)
        group.append(Arrival(index: index, part: part, outcome: outcome))
        if case .bytes(let count) = outcome { groupEnd += count }
        if group.count == Self.groupSize || groupEnd > request.headers.bytes.count / 2 { serveGroup() }
    }

    /// Answers what was read, and sends the answers: all together, or as soon as they are as large as those of one
    /// connection may be.
    private mutating func serveGroup() {
        guard !group.isEmpty else { return }
        var first = 0
        for position in group.indices {
            let refused = context.load.refused
            context.outputStart = context.output.count
            let index = group[position].index
            take(group[position].outcome, in: group[position].part, index)
            // Now: it counts for those behind it.
            countDeferred(index, slots[index].connection.phase == .deferred)
            group[position].answers = context.answers
            group[position].isRefused = context.load.refused > refused
            if context.output.count >= context.limits.bufferedAnswerBytes {
                sendAnswers(of: first..<position + 1)
                first = position + 1
            }
        }
        sendAnswers(of: first..<group.count)
        group.removeAll(keepingCapacity: true)
        groupEnd = 0
    }

    private mutating func sendAnswers(of positions: Range<Int>) {
        for position in positions {
            let arrival = group[position]
            let refused = context.load.refused
            settle(arrival.index, sending: arrival.answers)
            if arrival.isRefused || context.load.refused > refused { pause(arrival.index) }
        }
        context.removeOutput(context.output.count)
        context.outputStart = 0
    }
}
