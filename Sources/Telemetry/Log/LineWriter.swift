import Synchronization
package import System

/// Writes whole lines, even to a disk that fills up.
///
/// If a write ends within a line, the rest of that line is stored and written before anything else. Lines are thus
/// either complete or dropped.
package final class LineWriter: Sendable {
    private struct State {
        /// The rest of a partially written line.
        var rest: [UInt8] = []
        /// The earliest time for the next report of dropped lines.
        var nextReport: ContinuousClock.Instant?
    }

    private static let reportInterval = Duration.seconds(60)

    private let write: @Sendable ([UInt8]) throws(DescriptorWriter.Incomplete) -> Void
    private let report: @Sendable (SystemError) -> Void
    /// Only the sink's queue uses the state. It is not locked while writing.
    private let state = Mutex(State())

    /// - Parameters:
    ///   - write: writes all bytes or throws.
    ///   - report: receives the reason why lines were dropped, at most once a minute.
    package init(
        _ write: @escaping @Sendable ([UInt8]) throws(DescriptorWriter.Incomplete) -> Void,
        report: @escaping @Sendable (SystemError) -> Void
    ) {
        self.write = write
        self.report = report
    }

    /// Writes lines that each end with a line feed. Without lines, it writes the rest of a partially written line.
    ///
    /// - Parameter now: the current time, for tests.
    /// - Returns: how many lines at the end were dropped.
    package func write(_ lines: [UInt8], at now: ContinuousClock.Instant = .now) -> Int {
        var state = self.state.withLock { $0 }
        defer { self.state.withLock { $0 = state } }
        let bytes = state.rest.isEmpty ? lines : state.rest + lines
        if bytes.isEmpty { return 0 }
        do throws(DescriptorWriter.Incomplete) {
            try write(bytes)
            state.rest = []
            return 0
        } catch {
            if state.nextReport.map({ $0 <= now }) ?? true {
                report(error.reason)
                state.nextReport = now + Self.reportInterval
            }
            let unwritten = bytes[error.written...]
            let isWithinLine = error.written > 0 ? bytes[error.written - 1] != Self.lineFeed : !state.rest.isEmpty
            let rest = isWithinLine ? unwritten.prefix { $0 != Self.lineFeed } + [Self.lineFeed] : []
            state.rest = Array(rest)
            return unwritten.dropFirst(rest.count).count { $0 == Self.lineFeed }
        }
    }

    private static let lineFeed = UInt8(ascii: "\n")
}
