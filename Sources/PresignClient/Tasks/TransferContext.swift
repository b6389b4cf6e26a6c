/// What all transfers of a client share.
struct TransferContext: Sendable {
    let service: PresignService
    let storage: StorageClient
    let store: TransferStore
    let slots: Slots
    /// The number of files or parts that are sent at the same time.
    let connections: Int
}
