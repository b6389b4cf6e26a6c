/// An upload or download that can run again after a pause. ``StorageTransferTask`` starts, pauses and ends it.
protocol ResumableTransfer<Success>: Sendable {
    associatedtype Success: Sendable

    /// The path at the service.
    nonisolated var path: String { get }

    /// Transfers until it is complete or the task is cancelled. Can be called again, and then continues.
    ///
    /// - Parameter report: Receives the bytes that are transferred and their total, which can be unknown.
    func run(_ report: @escaping @Sendable (Int64, Int64?) -> Void) async throws -> Success

    /// Ends the task of a run that is to pause, at once or soon.
    nonisolated func pause(_ run: Task<Void, Never>)

    /// Lets another transfer, or a later start of the app, continue.
    func release() async

    /// Removes what the transfer has left, at the storage and on this device.
    func discard() async
}

extension ResumableTransfer {
    nonisolated func pause(_ run: Task<Void, Never>) { run.cancel() }
}

/// What all transfers of a client share.
struct TransferContext: Sendable {
    let service: PresignService
    let storage: StorageClient
    let store: TransferStore
    let slots: Slots
    /// The maximum number of files or parts that are sent at the same time.
    let connections: Int
}
