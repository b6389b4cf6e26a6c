import Dispatch
import Synchronization
import Text

/// Lines on their way to a slow writer: bounded buffers that a queue writes out, so that no request waits for a disk.
///
/// Every event loop has a lane of its own, so that loops do not wait for each other; lines of one lane keep their order.
/// When the writer cannot keep up, or write, whole lines are dropped and counted; the count is written as a line of its
/// own as soon as there is room.
package final class LogSink: Sendable {
    private let lanes: Mutex<[LogBuffer]> = Mutex([])
    private let common: LogBuffer
    private let isScheduled = Atomic(false)
    /// Whether the lines appear on a terminal; then they are text for a person, else JSON.
    package let isTerminal: Bool
    private let queue: DispatchQueue
    private let capacity: Int
    private let write: @Sendable ([UInt8]) -> Int

    /// - Parameters:
    ///   - capacity: the most bytes that may wait in a lane.
    ///   - isTerminal: whether the lines appear on a terminal.
    ///   - write: writes one batch; called on one queue only, may block. Returns how many of its last lines were lost. A
    ///     flush ends with an empty batch, so that what was kept of others is written, too.
    package init(
        label: String, capacity: Int = 4 << 20, isTerminal: Bool = false,
        write: @escaping @Sendable ([UInt8]) -> Int
    ) {
        self.isTerminal = isTerminal
        queue = DispatchQueue(label: label, qos: .utility)
        self.capacity = capacity
        self.write = write
        common = LogBuffer(capacity: capacity)
        lanes.withLock { $0.append(common) }
    }

    /// A lane for one loop.
    ///
    /// - Parameters:
    ///   - isGuest: whether its lines are those of another than the sink's owner: `lines` leaves them out.
    ///   - note: the line that tells how many lines were dropped.
    ///   - report: tells it elsewhere; called about a second after lines were dropped, as the writer may be stuck.
    package func makeLane(
        isGuest: Bool = false,
        note: @escaping @Sendable (Int) -> [UInt8] = LogBuffer.note(ofDropped:),
        report: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> LogBuffer {
        let lane = LogBuffer(capacity: capacity, isGuest: isGuest, note: note, report: report)
        lanes.withLock { $0.append(lane) }
        return lane
    }

    /// The lines since the start of all lanes but those of guests.
    package var lines: LineCount {
        lanes.withLock { $0 }.reduce(into: LineCount()) { if !$1.isGuest { $0 += $1.lines } }
    }

    /// Takes one line, which ends in a line feed; returns at once.
    package func append(_ line: Span<UInt8>) {
        append(to: common) { $0.append(line) }
    }

    /// Takes one line into a lane that this sink has made; returns at once.
    ///
    /// - Parameter write: appends the line, with its line feed, to others.
    package func append(to lane: LogBuffer, _ write: (inout [UInt8]) -> Void) {
        act(on: lane.append(write), of: lane)
    }

    /// Does what the place of a line in a lane asks for, which is seldom anything.
    package func act(on place: LogBuffer.Place, of lane: LogBuffer) {
        switch place {
        case .more: return
        case .dropped: DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(1)) { lane.tell() }
        case .much: queue.async { self.drain() }
        case .first:
            guard !isScheduled.load(ordering: .acquiring),
                !isScheduled.exchange(true, ordering: .acquiringAndReleasing)
            else { return }
            // A short delay lets one write carry the lines of many requests.
            queue.asyncAfter(deadline: .now() + .milliseconds(5)) { self.drain() }
        }
    }

    /// Does something where the lines are written, between two batches; returns at once.
    func perform(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    /// Writes what waits, and the rest of a line that was begun, then returns; for the end of the process.
    ///
    /// - Parameter limit: the longest to wait, in seconds: a writer that nobody reads must not keep the process alive.
    package func flush(within limit: Int = 2) {
        let done = DispatchSemaphore(value: 0)
        queue.async {
            self.drain()
            _ = self.write([])
            done.signal()
        }
        _ = done.wait(timeout: .now() + .seconds(limit))
        for lane in lanes.withLock({ $0 }) { lane.tell() }
    }

    private func drain() {
        // First: a line that comes from here on is either taken below, or orders the next write.
        isScheduled.store(false, ordering: .sequentiallyConsistent)
        for lane in lanes.withLock({ $0 }) {
            let (batch, noted) = lane.take()
            let lost = batch.isEmpty ? 0 : write(batch)
            if lost > 0 { lane.lose(lost, noted: noted) }
            lane.giveBack(batch)
        }
    }
}
