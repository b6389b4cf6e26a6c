import Bytes
import Synchronization

/// The lines of one event loop that wait to be written. Two buffers take turns: one fills while the other is written.
final class LogLane: Sendable {
    private struct State {
        var pending: [UInt8] = []
        var spare: [UInt8] = []
        var dropped = 0
    }

    private let state = Mutex(State())
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Adds a line, or counts it as dropped. False if lines were waiting already, whose write is ordered.
    func append(_ line: Span<UInt8>) -> Bool {
        state.withLock { state in
            guard state.pending.count + line.count <= capacity else {
                state.dropped += 1
                return false
            }
            let isFirst = state.pending.isEmpty
            state.pending.append(line)
            return isFirst
        }
    }

    /// What waits, and how many lines were dropped since the last time.
    func take() -> [UInt8] {
        state.withLock { state in
            var batch: [UInt8] = []
            swap(&batch, &state.pending)
            swap(&state.pending, &state.spare)
            if state.dropped > 0 {
                batch += #"{"event":"log-lines-dropped","count":\#(state.dropped)}"#.utf8
                batch.append(0x0A)
                state.dropped = 0
            }
            return batch
        }
    }

    /// Takes the memory of a written batch back, unless it is far more than was used of it.
    func giveBack(_ batch: consuming [UInt8]) {
        guard batch.count >= batch.capacity / 8 else { return }
        batch.removeAll(keepingCapacity: true)
        state.withLock { $0.spare = batch }
    }
}
