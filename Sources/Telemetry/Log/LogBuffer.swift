import Synchronization
import Text

/// How many lines were taken for writing, and how many lost. Neither ever falls, or a rate would take that for a new start:
/// a line that was taken and then could not be written is among both.
package struct LineCount {
    package var taken = 0
    package var dropped = 0

    static func += (sum: inout LineCount, one: LineCount) {
        sum.taken += one.taken
        sum.dropped += one.dropped
    }
}

/// The lines of one event loop that wait to be written. Two buffers take turns: one fills while the other is written.
package final class LogBuffer: Sendable {
    private struct State {
        var pending: [UInt8] = []
        var spare: [UInt8] = []
        var dropped = 0
        /// Those of the dropped lines that were not reported.
        var untold = 0
        /// Since the start.
        var lines = LineCount()
    }

    /// Whether its lines are those of another than the sink's owner, who counts them by himself.
    package let isGuest: Bool
    private let state = Mutex(State())
    private let capacity: Int
    private let note: @Sendable (Int) -> [UInt8]
    private let report: @Sendable (Int) -> Void

    /// - Parameters:
    ///   - capacity: the most bytes that may wait.
    ///   - isGuest: whether its lines are those of another than the sink's owner.
    ///   - note: the line that tells how many lines were dropped.
    ///   - report: tells it elsewhere, as long as the writer takes nothing.
    package init(
        capacity: Int, isGuest: Bool = false, note: @escaping @Sendable (Int) -> [UInt8] = LogBuffer.note(ofDropped:),
        report: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.capacity = capacity
        self.isGuest = isGuest
        self.note = note
        self.report = report
    }

    /// What a line found in the lane.
    package enum Place {
        /// No line; the write is to be ordered.
        case first
        /// Lines whose write is ordered.
        case more
        /// So many that their write should not wait any longer; said once for each write.
        case much
        /// No room: the line was dropped, the first since this was reported.
        case dropped
    }

    /// Adds a line, or counts it as dropped.
    ///
    /// - Parameter write: appends the line, with its line feed, to those that wait.
    package func append(_ write: (inout [UInt8]) -> Void) -> Place {
        state.withLock { state in
            let waiting = state.pending.count
            write(&state.pending)
            guard state.pending.count <= capacity else {
                state.pending.removeLast(state.pending.count - waiting)
                state.dropped += 1
                state.lines.dropped += 1
                state.untold += 1
                return state.untold == 1 ? .dropped : .more
            }
            state.lines.taken += 1
            if waiting == 0 { return .first }
            return waiting < capacity / 16 && state.pending.count >= capacity / 16 ? .much : .more
        }
    }

    /// The lines since the start.
    package var lines: LineCount { state.withLock { $0.lines } }

    /// What waits. The last line tells how many were dropped since the last time, if any were: that many are noted.
    package func take() -> (batch: [UInt8], noted: Int) {
        var (batch, dropped) = state.withLock { state in
            var batch: [UInt8] = []
            swap(&batch, &state.pending)
            swap(&state.pending, &state.spare)
            defer { state.dropped = 0 }
            return (batch, state.dropped)
        }
        if dropped > 0 { batch += note(dropped) }
        return (batch, dropped)
    }

    /// Counts the last lines of a batch that could not be written, of which so many had been noted as dropped.
    func lose(_ count: Int, noted: Int) {
        // The note is lost, too, and is to be made again.
        let lines = noted > 0 ? count - 1 : count
        state.withLock { state in
            state.dropped += lines + noted
            state.lines.dropped += lines
        }
    }

    /// Reports how many lines were dropped since the last time.
    package func tell() {
        let count = state.withLock { state in
            defer { state.untold = 0 }
            return state.untold
        }
        if count > 0 { report(count) }
    }

    package static func note(ofDropped count: Int) -> [UInt8] {
        Array(#"{"event":"log-lines-dropped","count":\#(count)}"#.utf8) + [0x0A]
    }

    /// Takes the memory of a written batch back, unless it is far more than was used of it.
    func giveBack(_ batch: consuming [UInt8]) {
        guard batch.count >= batch.capacity / 8 else { return }
        batch.removeAll(keepingCapacity: true)
        state.withLock { $0.spare = batch }
    }
}
