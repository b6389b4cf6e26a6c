import Foundation

/// The download of an object into memory, through a temporary file: so it continues like one to a file.
final class DataDownload: Transfer {
    private let download: Download
    private let file: URL
    private let store: TransferStore
    /// Keeps the complete file from being taken for a leftover.
    private let claim: Claim?

    var path: String { download.path }

    /// - Parameter id: An id for the temporary files.
    init(_ path: String, id: String, _ options: StorageDownloadOptions, _ context: TransferContext) {
        store = context.store
        let name = "\(id)-data"
        claim = Claim([name])
        file = store.download(name)
        let record = DownloadRecord(
            id: id, target: context.service.id, path: path, file: RecordedFile(file), options: options,
            createdAt: Date())
        download = Download(record, isKept: false, context)
    }

    func run(_ report: @escaping @Sendable (Int64, Int64?) -> Void) async throws -> Data {
        try await download.run(report)
        defer { store.remove(file) }
        do { return try Data(contentsOf: file) } catch { throw StorageFailure.unreadable(file, error) }
    }

    func release() { download.release() }

    func discard() {
        download.discard()
        store.remove(file)
    }
}
