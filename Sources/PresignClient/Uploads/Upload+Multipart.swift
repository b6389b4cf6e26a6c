import Foundation

/// The requests that create, list, complete and abort a multipart upload.
extension Upload {
    /// Seconds in which the storage must have combined the parts. Some copy every byte before they respond.
    private static let completionTimeout: TimeInterval = 600

    /// Returns the id of a new upload.
    func createMultipart(_ hasChecksum: Bool) async throws -> String {
        var request = objectFields(method: "POST")
        if hasChecksum { request.checksumAlgorithm = "SHA256" }
        return try await context.storage.perform(request, waiting: .persistent) { response in
            if let id = XMLElement(response.body)?["UploadId"], !id.isEmpty { return id }
            throw StorageFailure.unexpected("the storage's response has no upload id", status: response.status)
        }
    }

    /// Asks the storage which parts it has: it may have received one whose response was lost, or have lost one. It lists
    /// the first 1,000 parts; for later ones the record is used, and the storage checks them in the end.
    func listParts(of known: UploadRecord.Multipart) async throws -> UploadRecord.Multipart {
        var request = SignRequest(method: "GET", path: path)
        request.uploadId = known.uploadID
        let list = try await context.storage.perform(request, waiting: .persistent) { response in
            if let list = XMLElement(response.body), list.name == "ListPartsResult" { return list }
            throw StorageFailure.unexpected("the response is not a list of parts", status: response.status)
        }
        let plan = PartPlan(size: source.size, partSize: known.partSize)
        let parts = PartList(list).usable(in: plan, known: known, isRecordWrong: isRecordWrong)
        try update { $0.multipart?.parts = parts }
        var listed = known
        listed.parts = parts
        return listed
    }

    /// Combines the parts to the object.
    func complete(_ plan: PartPlan) async throws {
        guard let multipart = record.multipart, multipart.parts.count == plan.count else {
            // The storage would combine fewer parts without an error.
            throw StorageFailure(
                source: .storage, code: .invalidPart, detail: "the storage does not have all parts of the upload")
        }
        var request = SignRequest(method: "POST", path: path)
        request.uploadId = multipart.uploadID
        // The storage compares it with the sum of the parts.
        request.contentLength = source.size
        if options.preventOverwrite { request.ifNoneMatch = "*" }
        request.useAccelerateEndpoint = options.useAccelerateEndpoint
        let document = PartList.document(multipart.parts)
        let wasSubmitted = record.isSubmitted
        try update { $0.isSubmitted = true }
        let uncertain = Locked(wasSubmitted)
        let operation = StorageOperation<Void>(
            sign: { [request] in try await self.sign(request) }, body: (.data(document), Int64(document.count)),
            timeout: Self.completionTimeout,
            read: { response in
                // S3 can respond with status 200 before it has combined the parts, and then fail.
                if XMLElement(response.body)?.name == "Error" { throw StorageFailure.storage(response, status: 500) }
            },
            settle: { failure in
                if failure.isAmbiguous { uncertain.with { $0 = true } }
                return try await self.settleCompletion(failure, uncertain.with { $0 }, plan) ? () : nil
            })
        try await context.storage.perform(operation, waiting: .persistent)
    }

    /// Finds out whether an upload that the storage does not know any more was completed by a request whose response
    /// was lost.
    private func settleCompletion(
        _ failure: StorageFailure, _ isUncertain: Bool, _ plan: PartPlan
    ) async throws -> Bool {
        guard isUncertain, failure.code == .noSuchUpload || failure.status == 412 else { return false }
        switch try await context.storage.lookUp(path, waiting: .persistent) {
        case .present(let object) where object.size == plan.size && object.isOfParts(plan.count): return true
        case .present where failure.status == 412: throw StorageFailure.exists()
        case .absent: throw failure
        case .present, .unknown: throw StorageFailure.outcomeUnknown(after: failure)
        }
    }

    /// Aborts the upload at the storage, which then removes its parts.
    func abortMultipart() async throws {
        guard let multipart = record.multipart else { return }
        var request = SignRequest(method: "DELETE", path: path)
        request.uploadId = multipart.uploadID
        do {
            try await context.storage.perform(request, waiting: .cleanup) { _ in }
        } catch let failure as StorageFailure where failure.code == .noSuchUpload {
            return
        }
    }
}

extension StoredObject {
    /// Whether the ETag is one of an object of this many parts: it ends in their number.
    func isOfParts(_ count: Int) -> Bool {
        etag.map { $0.replacing("\"", with: "").hasSuffix("-\(count)") } ?? true
    }
}
