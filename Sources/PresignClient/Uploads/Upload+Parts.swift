import Foundation

/// The upload of a file in parts.
extension Upload {
    /// How often an upload starts again because the storage has lost it or parts of it.
    private static let maxRestarts = 2

    func sendInParts(_ limits: Permissions.Limits, _ progress: UploadProgress) async throws {
        var restarts = 0
        while true {
            do {
                let multipart = try await openMultipart(limits)
                let plan = PartPlan(size: source.size, partSize: multipart.partSize)
                try progress.beginParts(stored: multipart.storedSize)
                try await sendMissingParts(plan, multipart, progress)
                return try await complete(plan)
            } catch let failure as StorageFailure {
                if failure.asksForChecksum, record.multipart?.hasChecksum == false {
                    try await abortMultipart()
                    try update { $0.multipart = nil }
                    needsChecksum = true
                    continue
                }
                let isLost = failure.code == .noSuchUpload || failure.code == .invalidPart
                guard isLost, restarts < Self.maxRestarts else { throw failure }
                restarts += 1
                try update { $0.isSubmitted = false }
                if failure.code == .noSuchUpload { try update { $0.multipart = nil } } else { isRecordWrong = true }
            }
        }
    }

    /// Continues the recorded upload if it fits the rule, or creates one.
    private func openMultipart(_ limits: Permissions.Limits) async throws -> UploadRecord.Multipart {
        let hasChecksum = options.checksum ?? (limits.checksum != nil) || needsChecksum
        if let known = record.multipart {
            if known.requiredPartSize == limits.partSize, known.hasChecksum == hasChecksum {
                // If the upload was completed meanwhile, the storage has no list of its parts.
                return record.isSubmitted ? known : try await listParts(of: known)
            }
            try await abortMultipart()
        }
        let plan = try PartPlan(size: source.size, limits: limits)
        let created = UploadRecord.Multipart(
            uploadID: try await createMultipart(hasChecksum), partSize: plan.partSize,
            requiredPartSize: limits.partSize, hasChecksum: hasChecksum)
        try update { $0.multipart = created }
        isRecordWrong = false
        return created
    }

    /// Sends all parts that are missing. The first failure stops the others; a pause stops those that it does not wait for.
    private func sendMissingParts(
        _ plan: PartPlan, _ multipart: UploadRecord.Multipart, _ progress: UploadProgress
    ) async throws {
        let missing = (1...plan.count).filter { multipart.parts[$0] == nil }
        let queue = Locked(missing[...])
        let workers = plan.workers(connections: context.connections)
        let urls = PartURLs(context.service, plan, partRequest(multipart), missing: missing, count: workers)
        defer { progress.endParts() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<min(missing.count, workers) {
                group.addTask {
                    while !progress.isPausing, let number = queue.with({ $0.popFirst() }) {
                        try Task.checkCancellation()
                        do {
                            let part = try await self.sendPart(
                                number, plan.range(number), multipart.hasChecksum, urls, progress)
                            try await self.update { $0.multipart?.parts[number] = part }
                        } catch is CancellationError where progress.isPausing {
                            return
                        }
                    }
                }
            }
            for try await _ in group {}
        }
        if progress.isPausing { throw CancellationError() }
    }

    /// Copies a part to a file of its own and sends it.
    private func sendPart(
        _ number: Int, _ range: Range<Int64>, _ hasChecksum: Bool, _ urls: PartURLs, _ progress: UploadProgress
    ) async throws -> UploadRecord.StoredPart {
        let (source, size) = (source, Int64(range.count))
        let copy = context.store.part(number, of: record.id)
        defer { context.store.remove(copy) }
        let checksum = try await offloaded { try source.copy(range, to: copy, isHashed: hasChecksum) }
        let operation = StorageOperation(
            sign: { try await urls.sign(number, checksum: checksum) }, body: (.file(copy), size), slots: context.slots,
            onSent: { progress.sent($0, of: number) },
            read: { response in
                if let etag = response.head["etag"] { return etag }
                throw StorageFailure.unexpected("the storage's response has no ETag", status: response.status)
            },
            settle: { _ in
                // A pause does not wait for another attempt.
                if progress.isPausing { throw CancellationError() }
                return nil
            })
        let storage = context.storage
        let etag = try await progress.send(number, size) {
            try await storage.perform(operation, waiting: .persistent)
        }
        return UploadRecord.StoredPart(size: size, etag: etag, checksum: checksum)
    }

    /// The fields of `POST /presign` that all parts have.
    private func partRequest(_ multipart: UploadRecord.Multipart) -> SignRequest {
        var request = SignRequest(method: "PUT", path: path)
        request.uploadId = multipart.uploadID
        request.expiresIn = options.expires
        request.useAccelerateEndpoint = options.useAccelerateEndpoint
        return request
    }
}
