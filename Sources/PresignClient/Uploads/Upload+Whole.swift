import Foundation

/// The upload of a file in one PUT.
extension Upload {
    func sendWhole(_ progress: UploadProgress) async throws {
        let size = source.size
        if record.isSubmitted, try await isStored(after: nil) { return progress.sent(whole: size) }
        let isUncertain = Locked(false)
        let operation = StorageOperation<Void>(
            sign: { try await self.signWhole() }, body: (source.body, size), slots: context.slots,
            onSent: { progress.sent(whole: $0) }, read: { _ in },
            settle: { try await self.settleWhole($0, isUncertain) ? () : nil })
        try await context.storage.perform(operation, waiting: .persistent)
        try source.checkUnchanged()
        progress.sent(whole: size)
    }

    /// Sends a checksum if it is wanted or a rule requires it.
    private func signWhole() async throws -> SignedRequest {
        var request = objectFields(method: "PUT")
        request.contentLength = source.size
        if options.preventOverwrite { request.ifNoneMatch = "*" }
        if options.checksum == true || needsChecksum { request.checksumSHA256 = try await checksum() }
        let signed: SignedRequest
        do {
            signed = try await sign(request)
        } catch let failure as StorageFailure where failure.asksForChecksum && request.checksumSHA256 == nil {
            needsChecksum = true
            request.checksumSHA256 = try await checksum()
            signed = try await sign(request)
        }
        // After a crash, the object may be the one that this request has stored.
        if signed.isConditional { try update { $0.isSubmitted = true } }
        return signed
    }

    private func checksum() async throws -> String {
        let source = source
        return try await offloaded { try source.checksum() }
    }

    /// Finds out whether a failed request that must not replace an object has created it.
    private func settleWhole(_ failure: StorageFailure, _ isUncertain: Locked<Bool>) async throws -> Bool {
        guard record.isSubmitted else { return false }
        if failure.isAmbiguous { isUncertain.with { $0 = true } }
        guard isUncertain.with({ $0 }) else {
            // This request has stored nothing.
            try update { $0.isSubmitted = false }
            return false
        }
        guard failure.isAmbiguous || failure.status == 412 else { return false }
        return try await isStored(after: failure)
    }

    /// Returns whether the object is this file; false if none exists.
    private func isStored(after failure: StorageFailure?) async throws -> Bool {
        switch try await context.storage.compare(path, with: source, waiting: .persistent) {
        case .same: return true
        case .absent: return false
        // Encoded content differs from the file after it was decoded.
        case .different where options.contentEncoding == nil: throw StorageFailure.exists()
        case .different, .unknown:
            throw StorageFailure.outcomeUnknown(
                after: failure ?? StorageFailure(source: .network, code: .networkError, detail: "the response was lost")
            )
        }
    }
}
