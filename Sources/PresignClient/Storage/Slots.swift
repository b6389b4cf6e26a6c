import Foundation

/// The turns of uploads to send, which all transfers of a client share. Waiters continue in order.
final class Slots: Sendable {
    private struct State {
        var limit: SendLimit
        var held = 0
        var nextID = 0
        var waiting: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    }

    private let state: Locked<State>
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameter most: The maximum number of uploads that send at the same time.
    init(_ most: Int, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        state = Locked(State(limit: SendLimit(most: most)))
        self.now = now
    }

    /// The uploads that send, that wait for their turn, and how many may send.
    var counts: (held: Int, waiting: Int, limit: Int) {
        state.with { ($0.held, $0.waiting.count, $0.limit.count) }
    }

    /// Waits for a slot.
    func acquire() async throws -> Slot {
        let id = state.with { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isFree = state.with { state in
                    guard state.held < state.limit.count else {
                        state.waiting.append((id, continuation))
                        return false
                    }
                    state.held += 1
                    return true
                }
                if isFree { return continuation.resume() }
                // The task may have been cancelled before it waited.
                if Task.isCancelled { giveUp(id) }
            }
        } onCancel: {
            giveUp(id)
        }
        return Slot(slots: self)
    }

    private func giveUp(_ id: Int) {
        let waiter = state.with { state in
            state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }

    fileprivate func release() {
        admit { $0.held -= 1 }
    }

    /// Counts bytes that an upload has sent.
    fileprivate func add(_ bytes: Int64, isFirst: Bool) {
        let now = now()
        admit { $0.limit.add(bytes, isFirst: isFirst, isReached: !$0.waiting.isEmpty, now) }
    }

    /// Changes the state, and then continues waiters as far as the limit allows.
    private func admit(after change: (inout State) -> Void) {
        let admitted = state.with { state in
            change(&state)
            let count = min(state.waiting.count, max(0, state.limit.count - state.held))
            let admitted = state.waiting.prefix(count)
            state.waiting.removeFirst(count)
            state.held += count
            if state.waiting.isEmpty { state.limit.stop() }
            return admitted
        }
        for waiter in admitted { waiter.continuation.resume() }
    }
}

/// The right to send, until it is released.
final class Slot: Sendable {
    private let slots: Slots
    private let isHeld = Locked(true)
    private let sent = Locked<Int64>(0)

    fileprivate init(slots: Slots) {
        self.slots = slots
    }

    /// Sets the bytes that were sent.
    func sent(_ bytes: Int64) {
        let before = sent.with { sent in
            defer { sent = bytes }
            return sent
        }
        if bytes > before { slots.add(bytes - before, isFirst: before == 0) }
    }

    /// Releases it. Further calls have no effect.
    func release() {
        let wasHeld = isHeld.with { isHeld in
            defer { isHeld = false }
            return isHeld
        }
        if wasHeld { slots.release() }
    }
}
