package import Presigning
import Synchronization
package import Text

/// The number of lines that were accepted and dropped.
///
/// Both only increase, as counters must. A line that was accepted but could not be written counts as both.
package struct LineCount {
    package var taken = 0
    package var dropped = 0

    static func += (sum: inout LineCount, one: LineCount) {
        sum.taken += one.taken
        sum.dropped += one.dropped
    }
}

/// The buffered lines of one event loop. Two buffers alternate: one fills while the other is written.
package final class LogBuffer: Sendable {
    private struct State: ~Copyable {
        var pending = ByteBuffer()
        var spare = ByteBuffer()
        /// The number of dropped lines since the last note.
        var dropped = 0
        /// The number of dropped lines since the last report.
        var unreported = 0
        /// The number of lines since the process started.
        var lines = LineCount()
        /// The time of the last line.
        var time = TimeText()
    }

    /// Whether the sink's line count excludes this buffer, because its lines belong to another log.
    package let isCountedSeparately: Bool
    private let state = Mutex(State())
    private let capacity: Int
    private let time: @Sendable () -> SigningTime
    private let note: @Sendable (Int) -> [UInt8]
    private let report: @Sendable (Int) -> Void

    /// - Parameters:
    ///   - capacity: the maximum number of buffered bytes.
    ///   - isCountedSeparately: whether the sink's line count excludes this buffer.
    ///   - time: returns the time of the wall clock.
    ///   - note: returns the line that reports the given number of dropped lines.
    ///   - report: receives the number of dropped lines even if the writer is stuck.
    package init(
        capacity: Int, isCountedSeparately: Bool = false, time: @escaping @Sendable () -> SigningTime = { .now() },
        note: @escaping @Sendable (Int) -> [UInt8] = LogBuffer.note(ofDropped:),
        report: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.capacity = capacity
        self.isCountedSeparately = isCountedSeparately
        self.time = time
        self.note = note
        self.report = report
    }

    /// The result of appending a line.
    package enum AppendResult {
        /// The buffer was empty, so a write must be scheduled.
        case first
        /// A write is already scheduled.
        case scheduled
        /// The buffer has just filled to 1/16, so it should be written without delay.
        case urgent
        /// The buffer is full. The line was dropped, the first one since the last report.
        case dropped
    }

    /// Appends a line, or counts it as dropped if the buffer is full.
    ///
    /// - Parameter write: appends the line with its line feed, given the current time in RFC 3339.
    package func append(_ write: (_ time: Span<UInt8>, _ lines: inout ByteBuffer) -> Void) -> AppendResult {
        state.withLock { state in
            let oldCount = state.pending.count
            state.time.update(to: self.time())
            let time = state.time.characters
            write(time.span, &state.pending)
            guard state.pending.count <= capacity else {
                state.pending.truncate(to: oldCount)
                state.dropped += 1
                state.lines.dropped += 1
                state.unreported += 1
                return state.unreported == 1 ? .dropped : .scheduled
            }
            state.lines.taken += 1
            if oldCount == 0 { return .first }
            return oldCount < capacity / 16 && state.pending.count >= capacity / 16 ? .urgent : .scheduled
        }
    }

    /// The number of lines since the process started.
    package var lines: LineCount { state.withLock { $0.lines } }

    /// Removes and returns all buffered lines.
    ///
    /// If lines were dropped, the last line of the batch reports how many. That number is also returned as `noted`.
    package func take() -> (batch: [UInt8], noted: Int) {
        var batch = ByteBuffer()
        let dropped = state.withLock { state in
            swap(&batch, &state.pending)
            swap(&state.pending, &state.spare)
            defer { state.dropped = 0 }
            return state.dropped
        }
        if dropped > 0 { batch.append(note(dropped)) }
        let bytes = batch.bytes
        // Reuse the memory, unless most of it was unused.
        if batch.count >= batch.capacity / 8 {
            batch.truncate(to: 0)
            state.withLock { swap(&batch, &$0.spare) }
        }
        return (bytes, dropped)
    }

    /// Counts the lines at the end of a batch that could not be written.
    ///
    /// - Parameter noted: the number of dropped lines that the batch's last line reports.
    func countDropped(_ count: Int, noted: Int) {
        // The note itself was dropped, so the next batch must report its lines again.
        let lines = noted > 0 ? count - 1 : count
        state.withLock { state in
            state.dropped += lines + noted
            state.lines.dropped += lines
        }
    }

    /// Reports how many lines were dropped since the last report.
    package func reportDropped() {
        let count = state.withLock { state in
            defer { state.unreported = 0 }
            return state.unreported
        }
        if count > 0 { report(count) }
    }

    package static func note(ofDropped count: Int) -> [UInt8] {
        Array(#"{"event":"log-lines-dropped","count":\#(count)}"#.utf8) + [0x0A]
    }
}

/// A time in RFC 3339 that is formatted again only when the second changes.
package struct TimeText: Sendable {
    /// The text in ASCII.
    package private(set) var characters: [UInt8]
    private var time: SigningTime

    package init(of time: SigningTime = SigningTime(secondsSince1970: 0)) {
        var text = ByteBuffer(capacity: SigningTime.rfc3339Count)
        time.appendRFC3339(to: &text)
        characters = text.bytes
        self.time = time
    }

    /// Changes the text to another time.
    package mutating func update(to time: SigningTime) {
        if time != self.time { self = TimeText(of: time) }
    }
}

extension ByteBuffer {
    /// Appends the time of day, such as `12:03:04Z`, of an RFC 3339 time.
    package mutating func append(timeOfDay time: Span<UInt8>) {
        append(time.extracting("2026-01-01T".utf8.count..<time.count))
    }

    /// Appends text that cannot control a terminal: bytes other than printable ASCII become `%xx`.
    package mutating func append(visible text: ArraySlice<UInt8>) {
        for byte in text {
            if ASCII.isPrintable(byte) {
                append(byte)
            } else {
                append("%")
                append(hexadecimal: [byte].span)
            }
        }
    }
}
