import Dispatch
import Synchronization
import System
import Text

/// Writes audit lines to a file or a Unix socket, and retries until it succeeds.
///
/// Lines are lost only if the sink's buffers overflow, which counts them. They are never torn: after a partial write,
/// the rest of the line follows. If the socket was reconnected or the file reopened, the whole line is written again.
final class AuditOutput: Sendable {
    private struct State {
        var descriptor: OutputDescriptor?
        /// Milliseconds until the next attempt.
        var pause = minimumPause
        var isFailing = false
        /// The time for the next attempt to reopen a file.
        var reopening: ContinuousClock.Instant?
    }

    private static let minimumPause = 50
    private static let maximumPause = 5000

    private let destination: AuditConfiguration.Destination
    private let reopeningInterval: Duration
    private let report: @Sendable (String) -> Void
    /// Only the sink's queue uses the state once the output is open. It is not locked while writing or waiting.
    private let state = Mutex(State())
    private let mustReopen = Atomic(false)
    private let isClosed = Atomic(false)
    /// Ends a pause.
    private let wake = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - reopeningInterval: the time between two attempts to reopen a file.
    ///   - report: receives a diagnostic message, one line without a line feed.
    init(
        _ destination: AuditConfiguration.Destination, reopeningInterval: Duration = .seconds(5),
        report: @escaping @Sendable (String) -> Void
    ) {
        self.destination = destination
        self.reopeningInterval = reopeningInterval
        self.report = report
    }

    /// Opens the destination. A socket need not have a listener yet.
    ///
    /// - Throws: `SystemError` if a file cannot be opened or created.
    func open() throws(SystemError) {
        do throws(SystemError) {
            let descriptor = try openDestination()
            state.withLock { $0.descriptor = descriptor }
        } catch {
            guard case .socket = destination else { throw error }
            state.withLock { $0.isFailing = true }
            report("cannot connect to the audit destination \(name) yet, audit lines are buffered: \(error)")
        }
    }

    /// Reopens the destination before the next write. Callable from any thread.
    func reopen() {
        mustReopen.store(true, ordering: .releasing)
        wake.signal()
    }

    /// Stops retrying and drops unwritten lines. Callable from any thread.
    func close() {
        isClosed.store(true, ordering: .releasing)
        wake.signal()
    }

    /// Reopens the destination if that was requested. Runs on the sink's queue.
    func reopenIfRequested() {
        var state = self.state.withLock { $0 }
        _ = reopenIfRequested(&state)
        self.state.withLock { $0 = state }
    }

    /// Writes whole lines. Runs on the sink's queue.
    func write(_ lines: [UInt8]) {
        var state = self.state.withLock { $0 }
        defer { self.state.withLock { $0 = state } }
        var start = 0
        while start < lines.count {
            // After reopening, a partially written line starts again.
            if reopenIfRequested(&state) { start = Self.lineStart(before: start, in: lines) }
            if isClosed.load(ordering: .acquiring) { return discard(lines[start...]) }
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
        if let current = state.descriptor {
            descriptor = current
        } else {
            descriptor = try openDestination()
            state.descriptor = descriptor
        }
        let count = try descriptor.write(lines.span.extracting(start...))
        // A short timeout, so that `close` and `reopen` take effect soon.
        if count == 0 { descriptor.waitUntilWritable(milliseconds: 100) }
        if count > 0, state.isFailing {
            report("audit lines are written to \(name) again")
            (state.isFailing, state.pause) = (false, Self.minimumPause)
        }
        return count
    }

    private func reopenIfRequested(_ state: inout State) -> Bool {
        let isRequested = mustReopen.exchange(false, ordering: .acquiring)
        guard isRequested || state.reopening.map({ $0 <= .now }) ?? false else { return false }
        state.pause = Self.minimumPause
        do throws(SystemError) {
            state.descriptor = try openDestination()
            state.reopening = nil
            return true
        } catch {
            if isRequested { report("cannot reopen the audit destination \(name) yet: \(error)") }
            // Keep the old file open until the new one can be opened. A socket is reconnected by the next write.
            guard case .socket = destination else {
                state.reopening = .now + reopeningInterval
                return false
            }
            state.descriptor = nil
            return true
        }
    }

    private func fail(_ error: SystemError, _ state: inout State) {
        if !state.isFailing { report("cannot write audit lines to \(name), they are buffered: \(error)") }
        state.isFailing = true
        // Discard earlier signals. The flags below show whether a call has come in the meantime.
        while wake.wait(timeout: .now()) == .success {}
        guard !mustReopen.load(ordering: .acquiring), !isClosed.load(ordering: .acquiring) else { return }
        _ = wake.wait(timeout: .now() + .milliseconds(state.pause))
        state.pause = min(2 * state.pause, Self.maximumPause)
    }

    private func discard(_ lines: ArraySlice<UInt8>) {
        report("\(lines.count { $0 == UInt8(ascii: "\n") }) audit lines were not written to \(name)")
    }

    private func openDestination() throws(SystemError) -> OutputDescriptor {
        switch destination {
        case .socket(let path): return try .connecting(to: path)
        case .file(let path): return try .appending(to: path)
        case .off, .standardOutput: throw SystemError(Self.unsupported)
        }
    }

    /// `EINVAL`, for destinations without a path.
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
