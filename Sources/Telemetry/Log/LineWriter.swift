import Synchronization
package import System

/// Writes whole lines as far as there is room for them, as on a disk that fills up.
///
/// The rest of a line that was begun is kept and comes first when there is room again, so that no line is torn; with no
/// lines at all it is tried alone.
package final class LineWriter: Sendable {
    private struct State {
        /// Ends the line that was begun.
        var rest: [UInt8] = []
        /// When it may be reported again that lines are lost.
        var nextReport: ContinuousClock.Instant?
    }

    private static let reportInterval = Duration.seconds(60)

    private let write: @Sendable ([UInt8]) throws(DescriptorWriter.Incomplete) -> Void
    private let report: @Sendable (SystemError) -> Void
    /// Belongs to the sink's queue, the only caller of `write`; never locked while writing.
    private let state = Mutex(State())

    /// - Parameters:
    ///   - write: writes bytes, all of them unless it throws.
    ///   - report: takes why lines are lost, once a minute at most.
    package init(
        _ write: @escaping @Sendable ([UInt8]) throws(DescriptorWriter.Incomplete) -> Void,
        report: @escaping @Sendable (SystemError) -> Void
    ) {
        self.write = write
        self.report = report
    }

    /// Writes lines, each with its line feed. Returns how many of the last are lost.
    ///
    /// - Parameter now: for tests.
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
            let left = bytes[error.written...]
            let isWithinLine = error.written > 0 ? bytes[error.written - 1] != Self.lineFeed : !state.rest.isEmpty
            let begun = isWithinLine ? left.prefix { $0 != Self.lineFeed } + [Self.lineFeed] : []
            state.rest = Array(begun)
            return left.dropFirst(begun.count).count { $0 == Self.lineFeed }
        }
    }

    private static let lineFeed = UInt8(ascii: "\n")
}
