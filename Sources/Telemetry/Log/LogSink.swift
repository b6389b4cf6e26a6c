import Dispatch
package import Presigning
import Synchronization
import System
package import Text

/// Buffers log lines and writes them on a queue, so that no request waits for a disk.
///
/// Every event loop has its own buffer, so that loops do not contend for a lock. The lines of one buffer keep their
/// order. If the writer is too slow or fails, whole lines are dropped and counted. The next batch ends with a line that
/// reports the count.
package final class LogSink: Sendable {
    private let buffers: Mutex<[LogBuffer]> = Mutex([])
    private let common: LogBuffer
    private let isScheduled = Atomic(false)
    /// Whether the lines are written to a terminal, as text for people instead of JSON.
    package let isTerminal: Bool
    private let queue: DispatchQueue
    private let capacity: Int
    private let time: @Sendable () -> SigningTime
    private let write: @Sendable ([UInt8]) -> Int

    /// - Parameters:
    ///   - capacity: the maximum number of bytes in a buffer.
    ///   - isTerminal: whether the lines are written to a terminal.
    ///   - time: returns the time of the wall clock, for the lines.
    ///   - write: writes a batch and returns how many lines at its end were dropped. It is called on one queue and may
    ///     block. A flush ends with an empty batch, for which it writes the rest of a partially written line.
    package init(
        label: String, capacity: Int = 4 << 20, isTerminal: Bool = false,
        time: @escaping @Sendable () -> SigningTime = { .now() },
        write: @escaping @Sendable ([UInt8]) -> Int
    ) {
        self.isTerminal = isTerminal
        queue = DispatchQueue(label: label, qos: .utility)
        self.capacity = capacity
        self.time = time
        self.write = write
        common = LogBuffer(capacity: capacity, time: time)
        buffers.withLock { $0.append(common) }
    }

    /// Creates a buffer for one event loop.
    ///
    /// - Parameters:
    ///   - isCountedSeparately: whether `lines` excludes the buffer, because its lines belong to another log.
    ///   - note: returns the line that reports the given number of dropped lines.
    ///   - report: receives the number of dropped lines about a second after the first one, because the writer may be
    ///     stuck.
    package func makeBuffer(
        isCountedSeparately: Bool = false,
        note: @escaping @Sendable (Int) -> [UInt8] = LogBuffer.note(ofDropped:),
        report: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> LogBuffer {
        let buffer = LogBuffer(
            capacity: capacity, isCountedSeparately: isCountedSeparately, time: time, note: note, report: report)
        buffers.withLock { $0.append(buffer) }
        return buffer
    }

    /// The number of lines since the process started, without those of buffers that are counted separately.
    package var lines: LineCount {
        buffers.withLock { $0 }.reduce(into: LineCount()) { if !$1.isCountedSeparately { $0 += $1.lines } }
    }

    /// Appends a line that ends with a line feed. Never blocks on the writer.
    package func append(_ line: Span<UInt8>) {
        append(to: common) { _, lines in lines.append(line) }
    }

    /// Appends a line to a buffer of this sink. Never blocks on the writer.
    ///
    /// - Parameter write: appends the line with its line feed, given the current time in RFC 3339.
    package func append(to buffer: LogBuffer, _ write: (_ time: Span<UInt8>, _ lines: inout ByteBuffer) -> Void) {
        scheduleWrite(after: buffer.append(write), of: buffer)
    }

    private func scheduleWrite(after result: LogBuffer.AppendResult, of buffer: LogBuffer) {
        switch result {
        case .scheduled: return
        case .dropped:
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(1)) { buffer.reportDropped() }
        case .urgent: queue.async { self.drain() }
        case .first:
            guard !isScheduled.load(ordering: .acquiring),
                !isScheduled.exchange(true, ordering: .acquiringAndReleasing)
            else { return }
            // A short delay lets one write contain the lines of many requests.
            queue.asyncAfter(deadline: .now() + .milliseconds(5)) { self.drain() }
        }
    }

    /// Schedules work between two batches on the writing queue.
    func perform(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    /// Writes all buffered lines and waits, for the end of the process.
    ///
    /// - Parameter limit: the maximum wait in seconds, so that a blocked writer does not keep the process alive.
    package func flush(within limit: Int = 2) {
        let done = DispatchSemaphore(value: 0)
        queue.async {
            self.drain()
            _ = self.write([])
            done.signal()
        }
        _ = done.wait(timeout: .now() + .seconds(limit))
        for buffer in buffers.withLock({ $0 }) { buffer.reportDropped() }
    }

    private func drain() {
        // Reset the flag before taking lines: a line appended later is either taken below or schedules another write.
        isScheduled.store(false, ordering: .sequentiallyConsistent)
        for buffer in buffers.withLock({ $0 }) {
            let (batch, noted) = buffer.take()
            let dropped = batch.isEmpty ? 0 : write(batch)
            if dropped > 0 { buffer.countDropped(dropped, noted: noted) }
        }
    }
}

extension SigningTime {
    /// Returns the current time of the wall clock.
    package static func now() -> SigningTime { SigningTime(secondsSince1970: WallClock.seconds()) }
}
