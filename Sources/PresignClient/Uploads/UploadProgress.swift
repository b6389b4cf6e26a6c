import Foundation

/// The bytes of an upload that the storage has, and those in flight. Decides which parts a pause lets finish.
final class UploadProgress: Sendable {
    /// A pause lets a part finish that is sent within these seconds at its present rate.
    static let maxRest = 10.0

    private struct Part {
        let size: Int64
        let task: Task<String, any Error>
        var sent: Int64 = 0
        /// When the current attempt began.
        var since: ContinuousClock.Instant

        func isNearlySent(_ now: ContinuousClock.Instant) -> Bool {
            sent > 0 && Double(size - sent) * ((now - since) / .seconds(1)) <= UploadProgress.maxRest * Double(sent)
        }
    }

    private struct State {
        var stored: Int64 = 0
        /// The bytes of a file in one PUT.
        var whole: Int64 = 0
        /// The parts in flight, by number.
        var parts: [Int: Part] = [:]
        var isSendingParts = false
        var isPausing = false
    }

    private let state: Locked<State>
    private let now: @Sendable () -> ContinuousClock.Instant
    private let report: @Sendable (Int64) -> Void

    /// - Parameters:
    ///   - stored: The bytes that the storage has.
    ///   - report: Receives the sum of them and of those in flight.
    init(
        stored: Int64, now: @escaping @Sendable () -> ContinuousClock.Instant,
        report: @escaping @Sendable (Int64) -> Void
    ) {
        state = Locked(State(stored: stored))
        self.now = now
        self.report = report
    }

    var isPausing: Bool { state.with { $0.isPausing } }

    /// Sets the bytes of a file in one PUT.
    func sent(whole bytes: Int64) {
        change { ($0.stored, $0.whole) = (0, bytes) }
    }

    /// Begins to send parts.
    ///
    /// - Parameter stored: The bytes of those that the storage has.
    /// - Throws: `CancellationError` if the upload is to pause.
    func beginParts(stored: Int64) throws {
        let isPausing = change { state in
            if !state.isPausing { state = State(stored: stored, isSendingParts: true) }
            return state.isPausing
        }
        if isPausing { throw CancellationError() }
    }

    func endParts() {
        state.with { $0.isSendingParts = false }
    }

    /// Sends a part. Returns its ETag.
    ///
    /// - Throws: Also `CancellationError` if the upload pauses and does not wait for this part.
    func send(_ number: Int, _ size: Int64, _ body: @escaping @Sendable () async throws -> String) async throws
        -> String
    {
        let now = now()
        let task = state.with { state -> Task<String, any Error>? in
            if state.isPausing { return nil }
            let task = Task(operation: body)
            state.parts[number] = Part(size: size, task: task, since: now)
            return task
        }
        guard let task else { throw CancellationError() }
        let etag = try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
        change { state in
            state.parts[number] = nil
            state.stored += size
        }
        return etag
    }

    /// Sets the bytes of a part that its current attempt has sent. An attempt begins with 0.
    func sent(_ bytes: Int64, of number: Int) {
        let now = now()
        change { state in
            state.parts[number]?.sent = bytes
            if bytes == 0 { state.parts[number]?.since = now }
        }
    }

    /// Begins a pause: lets parts finish that are nearly sent, and aborts the others. Returns false if the upload does not
    /// send parts.
    func pause() -> Bool {
        let now = now()
        let aborted = change { state -> [Part]? in
            guard state.isSendingParts else { return nil }
            state.isPausing = true
            let aborted = state.parts.filter { !$0.value.isNearlySent(now) }
            for number in aborted.keys { state.parts[number] = nil }
            return Array(aborted.values)
        }
        for part in aborted ?? [] { part.task.cancel() }
        return aborted != nil
    }

    /// Forgets what is in flight: the progress is then what the storage has.
    func stop() {
        change { $0 = State(stored: $0.stored) }
    }

    @discardableResult
    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, sum) = state.with { state in
            let result = body(&state)
            return (result, state.parts.values.reduce(state.stored + state.whole) { $0 + $1.sent })
        }
        report(sum)
        return result
    }
}
