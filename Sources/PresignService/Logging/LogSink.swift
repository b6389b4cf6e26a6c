import Bytes
import Dispatch
import Synchronization

/// Lines on their way to a slow writer: a bounded buffer that a queue writes out, so that no request waits for a disk.
///
/// When the writer cannot keep up, whole lines are dropped and counted; the count is written as a line of its own
/// as soon as there is room.
package final class LogSink: Sendable {
    private struct State {
        var pending: [UInt8] = []
        var dropped = 0
        var isScheduled = false
    }

    private let state = Mutex(State())
    private let queue: DispatchQueue
    private let capacity: Int
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameters:
    ///   - capacity: the most bytes that may wait.
    ///   - write: writes one batch; called on one queue only, may block.
    package init(label: String, capacity: Int = 1 << 20, write: @escaping @Sendable ([UInt8]) -> Void) {
        queue = DispatchQueue(label: label, qos: .utility)
        self.capacity = capacity
        self.write = write
    }

    /// Takes one line, which ends in a line feed; returns at once.
    package func append(_ line: Span<UInt8>) {
        let schedules = state.withLock { state in
            guard state.pending.count + line.count <= capacity else {
                state.dropped += 1
                return false
            }
            state.pending.append(line)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        // A short delay lets one write carry the lines of many requests.
        if schedules { queue.asyncAfter(deadline: .now() + .milliseconds(5)) { self.drain() } }
    }

    /// Writes what waits, then returns; for the end of the process.
    ///
    /// - Parameter limit: the longest to wait, in seconds: a writer that nobody reads must not keep the process alive.
    package func flush(within limit: Int = 2) {
        let done = DispatchSemaphore(value: 0)
        queue.async {
            self.drain()
            done.signal()
        }
        _ = done.wait(timeout: .now() + .seconds(limit))
    }

    private func drain() {
        let batch = state.withLock { state in
            defer { state = State() }
            guard state.dropped > 0 else { return state.pending }
            return state.pending + Array(#"{"event":"log-lines-dropped","count":\#(state.dropped)}"#.utf8) + [0x0A]
        }
        if !batch.isEmpty { write(batch) }
    }
}
