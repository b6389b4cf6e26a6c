/// The signed URLs of the parts of an upload, requested in batches shortly before they are used.
actor PartURLs {
    private typealias Batch = Task<[Int: Result<SignedRequest, StorageFailure>], any Error>

    private let service: PresignService
    private let plan: PartPlan
    private let template: SignRequest
    private let count: Int
    /// The parts that have got no URL yet, in the order in which they are sent.
    private var upcoming: [Int]
    /// The batches of those that were requested.
    private var batches: [Int: Batch] = [:]

    /// - Parameters:
    ///   - template: The fields of `POST /presign` that all parts have.
    ///   - missing: The parts that will be sent, in their order.
    ///   - count: The number of URLs in a batch.
    init(_ service: PresignService, _ plan: PartPlan, _ template: SignRequest, missing: [Int], count: Int) {
        self.service = service
        self.plan = plan
        self.template = template
        self.count = count
        upcoming = missing
    }

    /// Returns a URL for a part that is valid now. Signed alone are parts with a checksum, which is known only when the
    /// part is read, and parts whose URL was used.
    func sign(_ number: Int, checksum: String?) async throws -> SignedRequest {
        while checksum == nil, upcoming.contains(number) {
            if let signed = try await takeFromBatch(number) { return signed }
        }
        return try await service.sign(fields(number, checksum), waiting: .persistent)
    }

    /// Returns nil if the part has to be signed again.
    private func takeFromBatch(_ number: Int) async throws -> SignedRequest? {
        let early = batches[number]
        let batch = early ?? request(number)
        let result: Result<SignedRequest, StorageFailure>?
        do {
            result = try await withTaskCancellationHandler {
                try await batch.value[number]
            } onCancel: {
                batch.cancel()
            }
        } catch {
            forget(batch)
            // Another part that waited for the batch was aborted.
            if error is CancellationError, !Task.isCancelled { return nil }
            throw error
        }
        if early != nil, case .success(let signed)? = result, service.requests.now() >= signed.deadline {
            forget(batch)
            return nil
        }
        upcoming.removeAll { $0 == number }
        batches[number] = nil
        // For example, the batch has reached a rate limit.
        if case .failure(let failure)? = result, failure.isRetryable { return nil }
        return try result?.get()
    }

    /// Requests the URLs of a part and of the next ones.
    private func request(_ number: Int) -> Batch {
        let numbers = [number] + upcoming.filter { $0 != number && batches[$0] == nil }.prefix(count - 1)
        let requests = numbers.map { fields($0, nil) }
        let batch = Batch { [service] in
            let results = try await service.sign(requests, waiting: .persistent)
            return Dictionary(uniqueKeysWithValues: zip(numbers, results))
        }
        for number in numbers { batches[number] = batch }
        return batch
    }

    /// Lets the parts of a batch that have got no URL be requested again.
    private func forget(_ batch: Batch) {
        batches = batches.filter { $0.value != batch }
    }

    private func fields(_ number: Int, _ checksum: String?) -> SignRequest {
        var request = template
        request.partNumber = number
        request.contentLength = Int64(plan.range(number).count)
        request.checksumSHA256 = checksum
        return request
    }
}
