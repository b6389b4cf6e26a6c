import Dispatch
import Synchronization
import System
import Text

/// Writes the batches of a sink to a file or a Unix socket, however long that takes: what cannot be written is kept and
/// tried again, so that lines are lost only where the sink's bounded buffers overflow, which counts them.
///
/// Lines are never torn. A partial write is continued where it stopped; where that has become impossible, because the
/// socket's reader went away or the file was replaced, the line begins anew on the other side.
final class AuditOutput: Sendable {
    private struct State {
        var descriptor: OutputDescriptor?
        /// Milliseconds until the next try.
        var pause = shortestPause
        var isFailing = false
        /// When a file that could not be opened again is tried once more.
        var reopening: ContinuousClock.Instant?
    }

    private static let shortestPause = 50
    private static let longestPause = 5000

    private let destination: AuditConfiguration.Destination
    private let reopeningInterval: Duration
    private let report: @Sendable (String) -> Void
    /// Belongs to the sink's queue once the output is open; never locked while writing or waiting.
    private let state = Mutex(State())
    private let mustReopen = Atomic(false)
    private let isClosed = Atomic(false)
    /// Ends a pause.
    private let wake = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - reopeningInterval: from a failure to open a file again to the next try.
    ///   - report: takes what a person should know, one line without a line feed.
    init(
        _ destination: AuditConfiguration.Destination, reopeningInterval: Duration = .seconds(5),
        report: @escaping @Sendable (String) -> Void
    ) {
        self.destination = destination
        self.reopeningInterval = reopeningInterval
        self.report = report
    }

    /// Opens the destination. A reader of a socket may come later; a file must be there or be made.
    func open() throws(SystemError) {
        do throws(SystemError) {
            let descriptor = try opened()
            state.withLock { $0.descriptor = descriptor }
        } catch {
            guard case .socket = destination else { throw error }
            state.withLock { $0.isFailing = true }
            report("the audit has no reader at \(name) yet: \(error)")
        }
    }

    /// Has the destination opened again before anything else is written; from any thread.
    func reopen() {
        mustReopen.store(true, ordering: .releasing)
        wake.signal()
    }

    /// Gives up what cannot be written; from any thread.
    func close() {
        isClosed.store(true, ordering: .releasing)
        wake.signal()
    }

    /// Opens the destination again if that was asked for; on the sink's queue.
    func reopenIfAsked() {
        var state = self.state.withLock { $0 }
        _ = reopenIfAsked(&state)
        self.state.withLock { $0 = state }
    }

    /// Writes whole lines; on the sink's queue.
    func write(_ lines: [UInt8]) {
        var state = self.state.withLock { $0 }
        defer { self.state.withLock { $0 = state } }
        var start = 0
        while start < lines.count {
            // What was begun on the old side is not continued on the new one.
            if reopenIfAsked(&state) { start = Self.lineStart(before: start, in: lines) }
            if isClosed.load(ordering: .acquiring) { return giveUp(lines[start...]) }
            do throws(SystemError) {
                start += try write(lines, from: start, &state)
            } catch {
                if case .socket = destination {
                    state.descriptor = nil
                    start = Self.lineStart(before: start, in: lines)
                }
                fail(error, &state)
            }
        }
    }

    private func write(_ lines: [UInt8], from start: Int, _ state: inout State) throws(SystemError) -> Int {
        let descriptor: OutputDescriptor
        if let standing = state.descriptor {
            descriptor = standing
        } else {
            descriptor = try opened()
            state.descriptor = descriptor
        }
        let count = try descriptor.write(lines.span.extracting(start...))
        // Short, so that a call to close or reopen is soon seen.
        if count == 0 { descriptor.waitUntilWritable(milliseconds: 100) }
        if count > 0, state.isFailing {
            report("the audit is written to \(name) again")
            (state.isFailing, state.pause) = (false, Self.shortestPause)
        }
        return count
    }

    private func reopenIfAsked(_ state: inout State) -> Bool {
        let isAsked = mustReopen.exchange(false, ordering: .acquiring)
        guard isAsked || state.reopening.map({ $0 <= .now }) ?? false else { return false }
        state.pause = Self.shortestPause
        do throws(SystemError) {
            state.descriptor = try opened()
            state.reopening = nil
            return true
        } catch {
            // A socket without a reader is tried again at once; of a file the open one is better than none.
            if isAsked { report("the audit's \(name) could not be opened again yet: \(error)") }
            guard case .socket = destination else {
                state.reopening = .now + reopeningInterval
                return false
            }
            state.descriptor = nil
            return true
        }
    }

    private func fail(_ error: SystemError, _ state: inout State) {
        if !state.isFailing { report("the audit cannot be written to \(name), its lines wait: \(error)") }
        state.isFailing = true
        // Calls while all was well have left their signals. One that came just now has left its mark, too.
        while wake.wait(timeout: .now()) == .success {}
        guard !mustReopen.load(ordering: .acquiring), !isClosed.load(ordering: .acquiring) else { return }
        _ = wake.wait(timeout: .now() + .milliseconds(state.pause))
        state.pause = min(2 * state.pause, Self.longestPause)
    }

    private func giveUp(_ lines: ArraySlice<UInt8>) {
        report("\(lines.count { $0 == UInt8(ascii: "\n") }) lines of the audit were not written to \(name)")
    }

    private func opened() throws(SystemError) -> OutputDescriptor {
        switch destination {
        case .socket(let path): return try .connecting(to: path)
        case .file(let path): return try .appending(to: path)
        case .off, .standardOutput: throw SystemError(Self.unsupported)
        }
    }

    /// EINVAL: neither is opened by path.
    private static let unsupported: Int32 = 22

    private var name: String {
        switch destination {
        case .file(let path): path
        case .socket(let path): "unix:" + path
        case .off, .standardOutput: "nothing"
        }
    }

    private static func lineStart(before index: Int, in lines: [UInt8]) -> Int {
        (lines[..<index].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    }
}
