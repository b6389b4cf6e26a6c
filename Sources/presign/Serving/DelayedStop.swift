import Dispatch
import Synchronization

/// The stop of the service, some time after it was asked for: until then load balancers learn that it is not ready, and
/// what they still send is answered. Who asks again does not want to wait.
final class DelayedStop: Sendable {
    /// What a request to stop brings about.
    enum Step: Equatable {
        case wait, stop, nothing
    }

    /// What was asked for so far.
    struct State {
        private enum Stage { case running, waiting, stopped }
        private var stage = Stage.running

        /// - Parameter isDelayed: whether there is a time to wait at all.
        mutating func ask(isDelayed: Bool) -> Step {
            switch stage {
            case .running where isDelayed:
                stage = .waiting
                return .wait
            case .running, .waiting: return end()
            case .stopped: return .nothing
            }
        }

        /// The time is over, or not waited for.
        mutating func end() -> Step {
            guard stage != .stopped else { return .nothing }
            stage = .stopped
            return .stop
        }
    }

    private let delay: Duration
    private let stop: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameter stop: called once, on any thread.
    init(after delay: Duration, stop: @escaping @Sendable () -> Void) {
        self.delay = delay
        self.stop = stop
    }

    /// Stops after the time, or at once when that was asked for before; returns at once.
    func ask() {
        switch state.withLock({ $0.ask(isDelayed: delay > .zero) }) {
        case .wait:
            let (seconds, attoseconds) = delay.components
            let time = DispatchTime.now() + .seconds(Int(seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
            DispatchQueue.global().asyncAfter(deadline: time) {
                if self.state.withLock({ $0.end() }) == .stop { self.stop() }
            }
        case .stop: stop()
        case .nothing: break
        }
    }
}
