public import Foundation

/// A transfer that an earlier start of the app has left unfinished, and that continues.
public enum StorageResumedTransfer: Sendable {
    /// An upload of a file.
    case upload(path: String, local: URL, task: StorageUploadFileTask)
    /// A download to a file.
    case download(path: String, local: URL, task: StorageDownloadFileTask)
}

extension PresignStorage {
    /// The seconds after which an unfinished upload is removed from the storage instead: a week.
    private static let maxAge: TimeInterval = 7 * 24 * 3600

    /// Continues the transfers of files that an earlier start of the app has left unfinished, oldest first. Finished parts
    /// are not sent again, and received bytes not requested again. An upload whose file has changed starts over; one
    /// whose file is missing, or that is older than a week, is removed from the storage.
    ///
    /// Call it once when the app starts and the user is signed in. Transfers that this process has started are not
    /// affected.
    public func resumeTransfers() async -> [StorageResumedTransfer] {
        context.store.removeLeftovers()
        var transfers: [StorageResumedTransfer] = []
        for record in context.store.records(UploadRecord.self, of: context.service.id) where !Claim.isHeld(record.id) {
            guard let source = record.source, let task = await resume(record, source) else { continue }
            transfers.append(.upload(path: record.path, local: source.file.url(), task: task))
        }
        for record in context.store.records(DownloadRecord.self, of: context.service.id)
        where !Claim.isHeld(record.id) {
            let task = StorageDownloadFileTask { [context] in Download(record, isKept: true, context) }
            transfers.append(.download(path: record.path, local: record.file.url(), task: task))
        }
        return transfers
    }

    private func resume(_ record: UploadRecord, _ source: UploadRecord.Source) async -> StorageUploadFileTask? {
        let file = source.file.url()
        let isUnwanted = record.isAbandoned || record.createdAt.timeIntervalSinceNow < -Self.maxAge
        let current = try? FileFingerprint(of: file)
        let continued = Upload(.file(file, source.fingerprint), record, context)
        if current == source.fingerprint, !isUnwanted { return StorageUploadFileTask { continued } }
        await continued.discard()
        if current == nil || isUnwanted { return nil }
        return StorageUploadFileTask { [context] in try Upload.ofFile(file, to: record.path, record.options, context) }
    }
}

extension Upload {
    /// Creates a new upload of a file.
    static func ofFile(
        _ file: URL, to path: String, _ options: StorageUploadOptions?, _ context: TransferContext
    ) throws -> Upload {
        let fingerprint = try FileFingerprint(of: file)
        let source = UploadRecord.Source(file: RecordedFile(file), fingerprint: fingerprint)
        return Upload(.file(file, fingerprint), UploadRecord(path, source, options, context), context)
    }
}

extension UploadRecord {
    init(_ path: String, _ source: Source?, _ options: StorageUploadOptions?, _ context: TransferContext) {
        self.init(
            id: UUID().uuidString, target: context.service.id, path: path, source: source,
            options: options ?? StorageUploadOptions(), createdAt: Date())
    }
}
