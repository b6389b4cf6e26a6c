import Foundation

/// The limit on uploads that send at the same time, which all transfers of a client share. Waiters continue in order.
final class Slots: Sendable {
    private struct State {
        var free: Int
        var nextID = 0
        var waiting: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    }

    private let state: Locked<State>

    init(_ count: Int) {
        state = Locked(State(free: count))
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
                    guard state.free > 0 else {
                        state.waiting.append((id, continuation))
                        return false
                    }
                    state.free -= 1
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
        let next = state.with { state in
            guard state.waiting.isEmpty else { return Optional(state.waiting.removeFirst()) }
            state.free += 1
            return nil
        }
        next?.continuation.resume()
    }
}

/// The right to send, until it is released.
final class Slot: Sendable {
    private let slots: Slots
    private let isHeld = Locked(true)

    fileprivate init(slots: Slots) {
        self.slots = slots
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
