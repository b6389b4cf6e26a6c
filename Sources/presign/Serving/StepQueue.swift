import Dispatch
import Synchronization

/// Runs the steps of one refresh on a queue of its own, so that a slow source delays neither other sources nor an event
/// loop. Each step returns the pause until the next one.
final class StepQueue: Sendable {
    private let queue: DispatchQueue
    /// The number of the current timer; older timers are ignored.
    private let timer = Mutex(0)
    private let isStopped = Atomic(false)

    init(_ label: String) { queue = DispatchQueue(label: label) }

    /// Stops all later steps.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Runs a step now, or after the one in progress, and again after each pause; a nil pause ends that. It replaces the
    /// step that is due next.
    func run(_ step: @escaping @Sendable () -> Duration?) {
        queue.async { self.perform(step) }
    }

    private func perform(_ step: @escaping @Sendable () -> Duration?) {
        guard !isStopped.load(ordering: .relaxed) else { return }
        let number = timer.withLock { timer in
            timer += 1
            return timer
        }
        guard let pause = step() else { return }
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(pause / .nanoseconds(1)))) {
            guard self.timer.withLock({ $0 }) == number else { return }
            self.perform(step)
        }
    }
}
