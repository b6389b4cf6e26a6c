import Foundation

/// What a transfer does.
public enum StorageTransferStatus: Sendable, Equatable {
    case running
    /// Parts of an upload that are nearly sent are being finished, for a few seconds.
    case pausing
    /// The progress is what is kept.
    case paused
    /// It has succeeded, failed, or was cancelled.
    case ended
}

/// The state of a transfer. Each method is one step; the caller holds the lock, and resumes the returned settlement
/// without it.
struct TransferState<Success: Sendable>: Sendable {
    /// What waits for the end, with the outcome.
    struct Settlement: Sendable {
        fileprivate let outcome: Result<Success, any Error>
        fileprivate let waiters: [CheckedContinuation<Success, any Error>]
        fileprivate let observers: [AsyncStream<Progress>.Continuation]

        func resume() {
            for waiter in waiters { waiter.resume(with: outcome) }
            for observer in observers { observer.finish() }
        }
    }

    private enum Phase: Sendable {
        case waiting
        case running
        case pausing
        case paused
        /// A final end is a success or a cancellation; after a failure the transfer can run again.
        case ended(Result<Success, any Error>, isFinal: Bool)
    }

    /// The current run, or the last one, which may still be ending.
    var running: Task<Void, Never>?
    var observers: [UUID: AsyncStream<Progress>.Continuation] = [:]
    private var phase = Phase.waiting
    /// The number of the current run.
    private var run = 0
    private var waiters: [CheckedContinuation<Success, any Error>] = []
    private var loaded: Int64 = 0
    private var total: Int64?

    init() {}

    var isEnded: Bool {
        if case .ended = phase { true } else { false }
    }

    var status: StorageTransferStatus {
        switch phase {
        case .waiting, .running: .running
        case .pausing: .pausing
        case .paused: .paused
        case .ended: .ended
        }
    }

    /// A copy of the progress, which does not change any more.
    var progress: Progress {
        let progress = Progress(totalUnitCount: total ?? 0)
        progress.completedUnitCount = loaded
        return progress
    }

    /// Starts, or continues after a pause or a failure. Returns the number of the run, and the run to wait for; nil if
    /// there is nothing to start.
    mutating func begin() -> (run: Int, previous: Task<Void, Never>?)? {
        switch phase {
        case .waiting, .pausing, .paused, .ended(_, isFinal: false): break
        case .running, .ended: return nil
        }
        phase = .running
        run += 1
        notify()
        return (run, running)
    }

    /// Whether a run is to be performed: an earlier one may have succeeded after all.
    func isCurrent(_ run: Int) -> Bool {
        if case .running = phase { run == self.run } else { false }
    }

    /// Begins a pause. Returns the run to end.
    mutating func pause() -> Task<Void, Never>? {
        guard case .running = phase else { return nil }
        phase = .pausing
        notify()
        return running
    }

    /// Completes a pause when its run has ended.
    mutating func pauseEnded(of endedRun: Int) {
        guard case .pausing = phase, endedRun == run else { return }
        phase = .paused
        notify()
    }

    /// Ends the transfer. Nil if it has ended, or if another run is the current one by now.
    mutating func end(
        _ outcome: Result<Success, any Error>, of endedRun: Int? = nil, isCancelled: Bool = false
    ) -> Settlement? {
        var isFinal = isCancelled
        if case .success = outcome {
            // Also of a run that was paused a moment ago.
            isFinal = true
        } else if let endedRun {
            guard case .running = phase, endedRun == run else { return nil }
        }
        if case .ended(_, isFinal: true) = phase { return nil }
        phase = .ended(outcome, isFinal: isFinal)
        if case .success = outcome { loaded = total ?? loaded }
        let settlement = Settlement(outcome: outcome, waiters: waiters, observers: Array(observers.values))
        (waiters, observers) = ([], [:])
        return settlement
    }

    /// Returns what to resume at once if the transfer has ended.
    mutating func wait(_ waiter: CheckedContinuation<Success, any Error>) -> Settlement? {
        switch phase {
        case .waiting, .running, .pausing, .paused:
            waiters.append(waiter)
            return nil
        case .ended(let outcome, _):
            return Settlement(outcome: outcome, waiters: [waiter], observers: [])
        }
    }

    mutating func report(_ loaded: Int64, _ total: Int64?) {
        (self.loaded, self.total) = (loaded, total)
        notify()
    }

    private func notify() {
        let progress = progress
        for observer in observers.values { observer.yield(progress) }
    }
}
