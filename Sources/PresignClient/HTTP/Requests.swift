import Foundation

/// How long a request is repeated.
struct Waiting: Sendable {
    /// For transfers.
    static let persistent = Waiting(isPersistent: true)
    /// For calls that the user waits for.
    static let limited = Waiting(isPersistent: false)
    /// For deleting the parts and records of a cancelled transfer. A later start of the app repeats it.
    static let cleanup = Waiting(isPersistent: false, retries: 3)

    /// Whether it is repeated without a limit while a server that has succeeded before is unreachable.
    let isPersistent: Bool
    /// The maximum number of retries; nil for the client's.
    var retries: Int?
}

/// The servers that have responded with success.
final class ReachedServers: Sendable {
    private let origins = Locked<Set<String>>([])

    func add(_ origin: String) { origins.with { _ = $0.insert(origin) } }

    func contains(_ origin: String) -> Bool { origins.with { $0.contains(origin) } }
}

/// What all requests of a client share.
struct Requests: Sendable {
    let transport: any HTTPTransport
    /// The seconds without progress after which an attempt fails.
    let timeout: TimeInterval
    /// The maximum number of retries; nil for the default.
    let retries: Int?
    let reached = ReachedServers()
    /// Tests have a clock of their own.
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    /// Suspends for a number of seconds. Tests do not wait.
    var sleep: @Sendable (TimeInterval) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }

    /// Sends one attempt. Errors of the network become failures.
    func send(
        _ request: HTTPRequest, server: String, onSent: @escaping @Sendable (Int64) -> Void = { _ in },
        to receiver: (any HTTPReceiver)? = nil
    ) async throws -> HTTPResponse {
        do {
            return try await transport.send(request, onSent: onSent, to: receiver)
        } catch {
            try Task.checkCancellation()
            if error is StorageFailure || error is any ReceiverError { throw error }
            throw StorageFailure.network(server, request.url, error)
        }
    }

    /// Waits before the next attempt, or throws the failure if there must not be one.
    func pause(
        after failure: StorageFailure, _ schedule: inout RetrySchedule, isReached: Bool, _ waiting: Waiting
    ) async throws {
        let delay = schedule.delay(
            after: failure, isReached: isReached, isPersistent: isReached && waiting.isPersistent,
            jitter: .random(in: 0.5...1.5))
        guard let delay else { throw failure }
        try await sleep(delay)
    }
}

/// An error that a receiver throws on purpose.
protocol ReceiverError: Error {}
