import Foundation
import Testing

@testable import PresignClient

/// A network between a client and a ``World`` that limits the bytes per second, with a clock of its own: how fast the
/// machine is does not matter.
final class ThrottledNetwork: HTTPTransport {
    struct Speed: Sendable {
        /// The seconds from the end of a request to its response.
        var latency = 0.1
        /// Bytes per second of one connection, and of all together.
        var connection = Double.infinity
        var line = Double.infinity
        /// The bytes of each connection that the client's system takes before they are sent.
        var buffer = 0.0
    }

    /// A request, or a delay of the client.
    private struct Waiting {
        /// Nil for a delay.
        let request: World.Sent?
        var left: Double
        /// The bytes that the client takes for sent.
        var reported: Int64 = 0
        var due: Double?
        let onSent: @Sendable (Int64) -> Void
        let continuation: CheckedContinuation<Void, any Error>

        var size: Int64 { request?.size ?? 0 }
        /// Whether it is a request for the URLs of parts.
        var isSigning: Bool { request?.path == "batch" }
        /// Whether it sends a part.
        var isSending: Bool { request?.isPart == true && reported < size }
    }

    private struct State {
        var speed: Speed
        var time = 0.0
        var bytes = 0.0
        var waiting: [Int: Waiting] = [:]
        var nextID = 0
        /// Whether time does not matter any more.
        var isInstant = false
        /// Whether the client sends parts.
        var isSendingParts = false
    }

    let world = World()
    private let state: Locked<State>
    private let plan: PartPlan
    private let slots = Locked<Slots?>(nil)
    private static let connections = 6
    /// The seconds of one step of time.
    private static let step = 0.01

    /// - Parameter size: The size of the file that is sent.
    init(_ speed: Speed, size: Int) {
        state = Locked(State(speed: speed))
        plan = PartPlan(size: Int64(size), partSize: PartPlan.partSize)
        world.hooks.with { hooks in
            hooks.actions = #"{"write": {}, "multipart": {}}"#
            // The content of the object does not matter.
            hooks.beforeStorage = { sent in
                if sent.isCompletion { return .storage("<R/>") }
                // A process that was killed does not abort its upload.
                return sent.method == "DELETE" ? .storage("", status: 204) : nil
            }
        }
    }

    var seconds: Double { state.with { $0.time } }
    /// The bytes of files that were sent.
    var bytes: Double { state.with { $0.bytes } }

    func change(_ body: @Sendable (inout Speed) -> Void) { state.with { body(&$0.speed) } }

    /// Cancels a transfer, but keeps its records and its parts at the storage: as if its process were killed.
    func kill<Success>(_ task: StorageTransferTask<Success>, _ state: URL) async throws {
        try await until { self.isReady }
        let names = state.names.filter { $0.hasSuffix(".json") }
        let records = try names.map { ($0, try Data(contentsOf: state.appending(path: $0))) }
        task.cancel()
        end()
        try await until { state.isReleased(by: names) }
        for (name, data) in records { try data.write(to: state.appending(path: name)) }
    }

    /// Lets everything end at once that the client still does.
    func end() {
        let waiting = state.with { state in
            state.isInstant = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for one in waiting { one.continuation.resume() }
    }

    /// Returns a client of this network, to be used after those that it replaces.
    func client(in folder: URL) throws -> PresignStorage {
        let start = ContinuousClock.now
        var requests = Requests(transport: self, timeout: 60, retries: nil)
        requests.now = { [state] in start + .seconds(state.with { $0.time }) }
        requests.sleep = { try await self.wait(nil, until: $0) { _ in } }
        let service = PresignService(endpoint: try World.endpoint, store: nil, headers: { [:] }, requests: requests)
        let client = PresignStorage(service, folder: folder, concurrency: Self.connections)
        slots.with { $0 = client.context.slots }
        state.with { ($0.isInstant, $0.isSendingParts) = (false, false) }
        return client
    }

    func send(
        _ request: HTTPRequest, onSent: @escaping @Sendable (Int64) -> Void, to receiver: (any HTTPReceiver)?
    ) async throws -> HTTPResponse {
        try Task.checkCancellation()
        guard request.url.host() == "storage.test" else {
            let path = request.url.lastPathComponent
            if path == "batch" { state.with { $0.isSendingParts = true } }
            try await wait(World.Sent(method: "POST", path: path, query: [:], headers: [:], size: 0))
            return try await world.send(request, onSent: onSent, to: receiver)
        }
        let size =
            switch request.body {
            case .file(let file): try FileFingerprint(of: file).size
            case .data(let data): Int64(data.count)
            case nil: Int64(0)
            }
        let sent = World.Sent(request, size: size)
        try await wait(sent, onSent: onSent)
        // Zeros take no memory until they are read.
        let body = sent.method == "PUT" ? HTTPRequest.Body.data(Data(count: Int(size))) : request.body
        let performed = HTTPRequest(
            method: request.method, url: request.url, headers: request.headers, body: body, timeout: request.timeout)
        return try await world.send(performed, onSent: { _ in }, to: receiver)
    }

    private func wait(
        _ request: World.Sent?, until seconds: Double? = nil, onSent: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws {
        let id = state.with { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isInstant = state.with { state in
                    if state.isInstant { return true }
                    let size = request?.method == "PUT" ? request?.size ?? 0 : 0
                    state.waiting[id] = Waiting(
                        request: request, left: Double(size),
                        due: size > 0 ? nil : state.time + (seconds ?? state.speed.latency), onSent: onSent,
                        continuation: continuation)
                    return false
                }
                if isInstant { return continuation.resume() }
                if Task.isCancelled { giveUp(id) }
            }
        } onCancel: {
            giveUp(id)
        }
    }

    private func giveUp(_ id: Int) {
        let waiting = state.with { $0.waiting.removeValue(forKey: id) }
        waiting?.continuation.resume(throwing: CancellationError())
    }
}

/// The passage of time.
extension ThrottledNetwork {
    /// Lets time pass until the condition holds. Time stands still while the client has something to do that takes none.
    func pass(until condition: () -> Bool) async throws {
        while !condition() {
            try await until { self.isReady || condition() }
            if !condition() { tick() }
        }
    }

    /// Pauses a transfer when the client has nothing to do.
    func pause<Success>(_ task: StorageTransferTask<Success>) async throws {
        try await until { self.isReady }
        task.pause()
        state.with { $0.isSendingParts = false }
    }

    /// Whether the client waits for the network. While it sends parts, each of its workers then sends one, waits for a
    /// batch of URLs, waits for its turn to send, or waits for the response.
    private var isReady: Bool {
        let stored = world.state.with { $0.uploads["upload-0"]?.count ?? 0 }
        let workers = min(plan.workers(connections: Self.connections), plan.count - stored)
        let turns = slots.with { $0?.counts } ?? (held: 0, waiting: 0, limit: 0)
        return state.with { state in
            let requests = state.waiting.values.filter { $0.request != nil }
            if !state.isSendingParts || requests.isEmpty { return !requests.isEmpty }
            let sending = requests.filter(\.isSending).count
            let sent = requests.filter { $0.request?.isPart == true && !$0.isSending }.count
            let isEachBusy = sending == turns.held || requests.contains(where: \.isSigning)
            return isEachBusy && (turns.held >= turns.limit || turns.waiting == 0)
                && turns.held + turns.waiting + sent == workers
        }
    }

    private func tick() {
        let (reports, ended) = state.with { state in
            state.time += Self.step
            var reports: [(@Sendable (Int64) -> Void, Int64)] = []
            var ended: [CheckedContinuation<Void, any Error>] = []
            let sending = state.waiting.filter { $0.value.due == nil }
            let share = min(state.speed.connection, state.speed.line / Double(max(1, sending.count))) * Self.step
            for (id, old) in state.waiting.sorted(by: { $0.key < $1.key }) {
                var one = old
                if one.due == nil {
                    let sent = min(share, one.left)
                    state.bytes += sent
                    one.left -= sent
                    if one.left == 0 { one.due = state.time + state.speed.latency }
                    let reported = min(one.size, one.size - Int64(max(0, one.left - state.speed.buffer)))
                    if reported > one.reported { reports.append((one.onSent, reported)) }
                    one.reported = reported
                } else if let due = one.due, due <= state.time {
                    ended.append(one.continuation)
                    state.waiting[id] = nil
                    continue
                }
                state.waiting[id] = one
            }
            return (reports, ended)
        }
        for (onSent, bytes) in reports { onSent(bytes) }
        for continuation in ended { continuation.resume() }
    }
}

extension World.Sent {
    var partNumber: Int? { query["partNumber"].flatMap { Int($0) } }
}
