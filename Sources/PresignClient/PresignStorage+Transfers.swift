public import Foundation

extension PresignStorage {
    /// Uploads data. A later start of the app cannot continue it.
    @discardableResult
    public func uploadData(
        path: any StoragePath, data: Data, options: StorageUploadDataRequest.Options? = nil
    ) -> StorageUploadDataTask {
        StorageTransferTask { [context] in
            let resolved = try await context.service.resolve(path)
            return Upload(.data(data), UploadRecord(resolved, nil, options, context), context)
        }
    }

    /// Uploads a file: in one request if it is small, otherwise in parts. The file must not change meanwhile.
    @discardableResult
    public func uploadFile(
        path: any StoragePath, local: URL, options: StorageUploadFileRequest.Options? = nil
    ) -> StorageUploadFileTask {
        StorageTransferTask { [context] in
            let resolved = try await context.service.resolve(path)
            return try Upload.ofFile(local, to: resolved, options, context)
        }
    }

    /// Downloads an object into memory.
    @discardableResult
    public func downloadData(
        path: any StoragePath, options: StorageDownloadDataRequest.Options? = nil
    ) -> StorageDownloadDataTask {
        StorageTransferTask { [context] in
            DataDownload(
                try await context.service.resolve(path), id: UUID().uuidString, options ?? StorageDownloadOptions(),
                context)
        }
    }

    /// Downloads an object to a file, which is replaced when the download is complete and verified. The folder must
    /// exist.
    @discardableResult
    public func downloadFile(
        path: any StoragePath, local: URL, options: StorageDownloadFileRequest.Options? = nil
    ) -> StorageDownloadFileTask {
        StorageTransferTask { [context] in
            let record = DownloadRecord(
                id: UUID().uuidString, target: context.service.id, path: try await context.service.resolve(path),
                file: RecordedFile(local), options: options ?? StorageDownloadOptions(), createdAt: Date())
            return Download(record, isKept: true, context)
        }
    }
}
