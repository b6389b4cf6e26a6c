import Foundation

/// One upload: what it keeps between a pause and its continuation.
actor Upload: ResumableTransfer {
    let source: UploadSource
    let context: TransferContext
    nonisolated let path: String
    private(set) var record: UploadRecord
    /// Whether a later start of the app can continue it. Data in memory is gone by then.
    private let isKept: Bool
    private var claim: Claim?
    /// Whether the storage lacks a part that the record has.
    var isRecordWrong = false
    /// Whether a rule requires checksums that the options do not ask for.
    var needsChecksum = false
    /// The progress of the current run.
    private let progress = Locked<UploadProgress?>(nil)

    /// - Parameter record: A new one, or that of an earlier start of the app.
    init(_ source: UploadSource, _ record: UploadRecord, _ context: TransferContext) {
        self.source = source
        self.record = record
        self.context = context
        path = record.path
        isKept = record.source != nil
    }

    var options: StorageUploadOptions { record.options }

    func run(_ report: @escaping @Sendable (Int64, Int64?) -> Void) async throws -> String {
        try open()
        let size = source.size
        let stored = record.multipart?.storedSize ?? 0
        report(stored, size)
        let progress = UploadProgress(stored: stored, now: context.service.requests.now) { report($0, size) }
        self.progress.with { $0 = progress }
        do {
            switch try await plan() {
            case .single: try await sendWhole(progress)
            case .multipart(let limits): try await sendInParts(limits, progress)
            }
        } catch {
            progress.stop()
            throw error
        }
        context.store.remove(record)
        release()
        return path
    }

    nonisolated func pause(_ run: Task<Void, Never>) {
        guard progress.with({ $0 })?.pause() == true else { return run.cancel() }
        Task { [context] in
            // The parts may become slower.
            try await context.service.requests.sleep(2 * UploadProgress.maxRest)
            run.cancel()
        }
    }

    func release() {
        claim = nil
    }

    func discard() async {
        await abort()
        release()
    }

    /// Changes the record, and its file.
    func update(_ change: (inout UploadRecord) -> Void) throws {
        change(&record)
        if isKept { try context.store.save(record) }
    }

    /// Aborts the upload at the storage, which then removes its parts, and forgets it. After a failure that may pass, the
    /// record remains for a later start of the app.
    private func abort() async {
        if record.multipart != nil {
            do {
                try await abortMultipart()
            } catch {
                // For example, the storage does not have the upload, or the caller may not abort it.
                let mayPass = (error as? StorageFailure)?.mayPass ?? false
                if mayPass, isKept, (try? update({ $0.isAbandoned = true })) != nil { return }
            }
        }
        context.store.remove(record)
    }

    private func open() throws {
        if claim == nil {
            var names: Set = [record.id]
            if case .file(let file, _) = source { names.insert("\(record.target) \(path) \(file.path)") }
            guard let claim = Claim(names) else { throw StorageFailure.active(path) }
            self.claim = claim
        }
        try context.store.prepare()
        try source.checkUnchanged()
        try update { _ in }
    }

    /// A small file is sent without asking. Its rule is learned from the request for its URL.
    private func plan() async throws -> UploadPlan {
        if source.size <= UploadPlan.maxUnaskedSize { return .single }
        let permissions = try await context.service.permissions(at: path, waiting: .persistent)
        let rules = [permissions.write, permissions.multipart]
        let mustBeNew = options.preventOverwrite || rules.contains { $0?.overwrite == false }
        // The storage decides when the upload ends; this saves sending the bytes.
        if mustBeNew, !record.isSubmitted, permissions.get != nil,
            case .present = try await context.storage.lookUp(path, waiting: .persistent)
        {
            throw StorageFailure.exists()
        }
        return try UploadPlan(size: source.size, permissions: permissions)
    }
}

extension Upload {
    /// The fields of `POST /presign` that describe the object.
    func objectFields(method: String) -> SignRequest {
        var request = SignRequest(method: method, path: path)
        request.contentType = options.contentType ?? "application/octet-stream"
        request.metadata = options.metadata
        request.cacheControl = options.cacheControl
        request.contentDisposition = options.contentDisposition
        request.contentEncoding = options.contentEncoding
        request.contentLanguage = options.contentLanguage
        request.expiresIn = options.expires
        request.useAccelerateEndpoint = options.useAccelerateEndpoint
        return request
    }

    func sign(_ request: SignRequest) async throws -> SignedRequest {
        try await context.service.sign(request, waiting: .persistent)
    }
}
