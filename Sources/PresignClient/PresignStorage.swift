public import Foundation

/// Transfers between local files and an S3 storage, with URLs signed by a presign service: the interface of Amplify
/// Storage for a server of your own.
///
///     let storage = PresignStorage(endpoint: endpoint) { ["Authorization": "Bearer \(try await token())"] }
///     let upload = storage.uploadFile(path: .fromString("photos/cat.jpg"), local: file)
///     try await upload.value
///
/// Create one client and keep it: its transfers share the connections.
public struct PresignStorage: Sendable {
    /// Settings that few apps change.
    public struct Configuration: Sendable {
        /// The maximum number of files or parts that are sent at the same time. A client begins with two, and sends more
        /// while that is faster.
        public var concurrency = 6
        /// The seconds without progress after which a request fails and is repeated.
        public var timeout: TimeInterval = 60
        /// The maximum number of retries of a request. Nil: 8, but an upload waits without a limit for a server that has
        /// succeeded before and does not respond any more.
        public var retries: Int?
        /// The folder for the records of unfinished transfers and for temporary files. Nil: `PresignClient` in the
        /// folder for application support. Two processes must not share it.
        public var stateFolder: URL?

        /// Creates the default settings.
        public init() {}
    }

    let context: TransferContext

    /// - Parameters:
    ///   - endpoint: The address of the service, to which `/presign` is appended.
    ///   - store: The name of a configured store. Nil for the default store.
    ///   - configuration: Settings that few apps change.
    ///   - headers: Returns the headers with the user's token, such as `Authorization`, for each request to the
    ///     service. Called again after a response with status 401, so it can renew the token.
    public init(
        endpoint: URL, store: String? = nil, configuration: Configuration = Configuration(),
        headers: @escaping @Sendable () async throws -> [String: String]
    ) {
        // Parts that are sent, parts that wait for their response, and the service.
        let transport = URLSessionTransport(connections: 2 * configuration.concurrency + 1)
        let folder = configuration.stateFolder ?? TransferStore.standardFolder
        let requests = Requests(transport: transport, timeout: configuration.timeout, retries: configuration.retries)
        let service = PresignService(endpoint: endpoint, store: store, headers: headers, requests: requests)
        self.init(service, folder: folder, concurrency: configuration.concurrency)
    }

    init(_ service: PresignService, folder: URL, concurrency: Int) {
        context = TransferContext(
            service: service, storage: StorageClient(service: service, requests: service.requests),
            store: TransferStore(folder: folder), slots: Slots(concurrency, now: service.requests.now),
            connections: concurrency)
    }

    /// Returns a URL that downloads an object, or one that uploads it.
    ///
    /// - Throws: ``StorageError``
    public func getURL(
        path: any StoragePath, options: StorageGetURLRequest.Options? = nil
    ) async throws -> URL {
        try await performing(path) { path in
            let further = options?.pluginOptions ?? AWSStorageGetURLOptions()
            var request = SignRequest(method: further.method.rawValue, path: path)
            request.expiresIn = options?.expires
            request.contentType = further.contentType
            request.validateObjectExistence = further.validateObjectExistence
            request.useAccelerateEndpoint = further.useAccelerateEndpoint
            return try await context.service.sign(request, waiting: .limited).url
        }
    }

    /// Lists one page of the objects whose paths begin with a path, which is empty or ends in a slash.
    ///
    /// - Throws: ``StorageError``
    public func list(
        path: any StoragePath, options: StorageListRequest.Options? = nil
    ) async throws -> StorageListResult {
        try await performing(path) { try await context.storage.list($0, options ?? StorageListRequest.Options()) }
    }

    /// Deletes an object. Succeeds also if it does not exist. Returns its path.
    ///
    /// - Throws: ``StorageError``
    @discardableResult
    public func remove(
        path: any StoragePath, options: StorageRemoveRequest.Options? = nil
    ) async throws -> String {
        try await performing(path) { path in
            try await context.storage.remove(path)
            return path
        }
    }

    private func performing<Value>(
        _ path: any StoragePath, _ body: (String) async throws -> Value
    ) async throws -> Value {
        var resolved = ""
        do {
            resolved = try await context.service.resolve(path)
            return try await body(resolved)
        } catch {
            throw StorageError.wrapping(error, path: resolved)
        }
    }
}

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

/// Has the options of ``PresignStorage/remove(path:options:)``.
public enum StorageRemoveRequest {
    /// The options of ``PresignStorage/remove(path:options:)``. It has no members yet.
    public struct Options: Sendable {
        /// Creates options.
        public init() {}
    }
}
