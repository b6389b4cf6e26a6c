/// The work of a transfer, without its life: that is ``StorageTransferTask``.
protocol Transfer<Success>: Sendable {
    associatedtype Success: Sendable

    /// The path at the service.
    nonisolated var path: String { get }

    /// Transfers until it is complete or the task is cancelled. Can be called again, and then continues.
    ///
    /// - Parameter report: Receives the bytes that are transferred and their total, which can be unknown.
    func run(_ report: @escaping @Sendable (Int64, Int64?) -> Void) async throws -> Success

    /// Lets another transfer, or a later start of the app, continue.
    func release() async

    /// Removes what the transfer has left, at the storage and on this device.
    func discard() async
}
