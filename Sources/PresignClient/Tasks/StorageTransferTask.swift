public import Foundation

/// A transfer in progress. It has started, and continues without being awaited.
///
/// If it fails for a reason that may pass, such as a missing connection or sign-in, its parts and bytes are kept for
/// ``resume()`` and, with a file, for ``PresignStorage/resumeTransfers()``. ``cancel()`` removes them.
public final class StorageTransferTask<Success: Sendable>: Sendable {
    private let make: @Sendable () async throws -> any ResumableTransfer<Success>
    private let work = Locked<(any ResumableTransfer<Success>)?>(nil)
    private let state = Locked(TransferState<Success>())

    /// - Parameter make: Creates the work; called until it succeeds.
    init(_ make: @escaping @Sendable () async throws -> any ResumableTransfer<Success>) {
        self.make = make
        start()
    }

    /// The result: the path of an upload, the content of `downloadData`. Waits until the transfer has ended; a paused one
    /// has not.
    ///
    /// - Throws: ``StorageError``, or `CancellationError` after ``cancel()``.
    public var value: Success {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                state.with { $0.wait(continuation) }?.resume()
            }
        }
    }

    /// What the transfer does. ``progress`` has a value after each change.
    public var status: StorageTransferStatus { state.with { $0.status } }

    /// The progress in bytes, beginning with that of this moment, until the transfer ends. A slow reader gets the newest.
    /// The total is 0 while it is unknown. While the transfer is paused, it is what is kept.
    public var progress: AsyncStream<Progress> {
        get async {
            let (stream, continuation) = AsyncStream.makeStream(of: Progress.self, bufferingPolicy: .bufferingNewest(1))
            let id = UUID()
            continuation.onTermination = { [state] _ in state.with { $0.observers[id] = nil } }
            let isEnded = state.with { state in
                continuation.yield(state.progress)
                if !state.isEnded { state.observers[id] = continuation }
                return state.isEnded
            }
            if isEnded { continuation.finish() }
            return stream
        }
    }

    /// Stops sending or receiving. Received bytes and finished parts are kept. Parts that need at most 10 more seconds are
    /// finished before, while ``status`` is `pausing`; others are sent again, and so is a file that goes in one request.
    public func pause() {
        guard let run = state.with({ $0.pause() }) else { return }
        if let work = work.with({ $0 }) { work.pause(run) } else { run.cancel() }
    }

    /// Continues a paused transfer, or repeats one that has failed. Await ``value`` again after a failure.
    public func resume() {
        start()
    }

    /// Ends the transfer: ``value`` throws `CancellationError` at once. Then removes the finished parts from the storage
    /// and the temporary files. While the storage combines the parts, that can be too late.
    public func cancel() {
        let (running, settlement) = state.with { state in
            let running = state.running
            return (running, state.end(.failure(CancellationError()), isCancelled: true))
        }
        guard let settlement else { return }
        running?.cancel()
        settlement.resume()
        Task {
            await running?.value
            await work.with { $0 }?.discard()
        }
    }

    private func start() {
        state.with { state in
            guard let (run, previous) = state.begin() else { return }
            state.running = Task {
                // A run that was paused a moment ago may still be ending.
                await previous?.value
                if self.state.with({ $0.isCurrent(run) }) { await perform(run) }
                self.state.with { $0.pauseEnded(of: run) }
            }
        }
    }

    private func perform(_ run: Int) async {
        do {
            let work = try await prepared()
            let value = try await work.run { [state] loaded, total in
                state.with { $0.report(loaded, total) }
            }
            state.with { $0.end(.success(value)) }?.resume()
        } catch {
            // Otherwise it was paused or cancelled.
            if state.with({ $0.isCurrent(run) }) { await fail(error, run) }
        }
    }

    private func prepared() async throws -> any ResumableTransfer<Success> {
        if let known = work.with({ $0 }) { return known }
        let made = try await make()
        work.with { $0 = made }
        return made
    }

    private func fail(_ error: any Error, _ run: Int) async {
        let work = work.with { $0 }
        if (error as? StorageFailure)?.mayPass == true { await work?.release() } else { await work?.discard() }
        let outcome = StorageError.wrapping(error, path: work?.path ?? "")
        state.with { $0.end(.failure(outcome), of: run) }?.resume()
    }
}

/// A transfer of data to an object. Its value is the path.
public typealias StorageUploadDataTask = StorageTransferTask<String>
/// A transfer of a file to an object. Its value is the path.
public typealias StorageUploadFileTask = StorageTransferTask<String>
/// A transfer of an object into memory. Its value is the content.
public typealias StorageDownloadDataTask = StorageTransferTask<Data>
/// A transfer of an object to a file.
public typealias StorageDownloadFileTask = StorageTransferTask<Void>
