import Foundation

/// A request to the storage that is repeated where that is safe.
struct StorageOperation<Value: Sendable>: Sendable {
    /// Requests a URL; called again when the last one has expired.
    let sign: @Sendable () async throws -> SignedRequest
    /// The body and its size in bytes.
    var body: (content: HTTPRequest.Body, size: Int64)?
    /// Limits the attempts that send at the same time.
    var slots: Slots?
    /// The seconds without progress after which an attempt fails; nil for the client's.
    var timeout: TimeInterval?
    /// Receives the bytes that were sent in the current attempt, beginning with 0.
    var onSent: @Sendable (Int64) -> Void = { _ in }
    /// Returns the result of a 2xx response, or throws the failure that is in it.
    let read: @Sendable (HTTPResponse) throws -> Value
    /// Returns the result if a failed request turns out to have succeeded, or nil if it may be repeated.
    var settle: @Sendable (StorageFailure) async throws -> Value? = { _ in nil }
}

/// Requests to the storage with URLs of the service.
struct StorageClient: Sendable {
    /// The maximum number of new URLs for a request whose URL has expired.
    private static let maxRenewals = 3

    let service: PresignService
    let requests: Requests

    /// Performs the operation. Gets a new URL when the last one has expired, and repeats the request after failures.
    func perform<Value>(_ operation: StorageOperation<Value>, waiting: Waiting) async throws -> Value {
        var schedule = RetrySchedule(retries: waiting.retries ?? requests.retries)
        var signed: SignedRequest?
        var renewals = 0
        while true {
            let slot = try await operation.slots?.acquire()
            defer { slot?.release() }
            let current =
                if let signed, requests.now() < signed.deadline { signed } else { try await operation.sign() }
            signed = current
            do {
                return try await attempt(operation, current, slot)
            } catch let failure as StorageFailure {
                slot?.release()
                operation.onSent(0)
                if renewals < Self.maxRenewals, failure.isExpiry(of: current, now: requests.now()) {
                    (renewals, signed) = (renewals + 1, nil)
                    continue
                }
                if let settled = try await operation.settle(failure) { return settled }
                try await requests.pause(
                    after: failure, &schedule, isReached: requests.reached.contains(current.url.origin), waiting)
            }
        }
    }

    /// Performs a request without a body.
    ///
    /// - Parameter read: Returns the result of a 2xx response, or throws the failure that is in it.
    func perform<Value: Sendable>(
        _ request: SignRequest, waiting: Waiting, read: @escaping @Sendable (HTTPResponse) throws -> Value
    ) async throws -> Value {
        let operation = StorageOperation(sign: { try await service.sign(request, waiting: waiting) }, read: read)
        return try await perform(operation, waiting: waiting)
    }

    private func attempt<Value>(
        _ operation: StorageOperation<Value>, _ signed: SignedRequest, _ slot: Slot?
    ) async throws -> Value {
        let request = HTTPRequest(
            method: signed.method, url: signed.url, headers: signed.headers, body: operation.body?.content,
            timeout: max(requests.timeout, operation.timeout ?? 0))
        let size = operation.body?.size ?? 0
        let onSent: @Sendable (Int64) -> Void = { sent in
            slot?.sent(sent)
            // The next request sends while the storage stores the bytes of this one.
            if sent >= size { slot?.release() }
            operation.onSent(sent)
        }
        operation.onSent(0)
        do {
            let response = try await requests.send(request, server: "storage", onSent: onSent)
            guard response.head.isSuccess else { throw StorageFailure.storage(response) }
            let value = try operation.read(response)
            requests.reached.add(signed.url.origin)
            return value
        } catch let failure as StorageFailure where failure.source == .network {
            // A file that was removed fails like the network.
            if case .file(let file)? = operation.body?.content {
                try StorageFailure.reading(file) { try FileHandle(forReadingFrom: file).close() }
            }
            throw failure
        }
    }
}
