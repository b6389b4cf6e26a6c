import Dispatch
import Synchronization

/// Stops the service some time after the first request to stop, or at once on the second.
///
/// During the delay the service still responds, while load balancers notice that it is not ready.
final class DelayedStop: Sendable {
    /// The result of a request to stop.
    enum Step: Equatable {
        case wait, stop, nothing
    }

    /// The state of the stop.
    struct State {
        private enum Stage { case running, waiting, stopped }
        private var stage = Stage.running

        /// - Parameter isDelayed: whether a delay is configured.
        mutating func request(isDelayed: Bool) -> Step {
            switch stage {
            case .running where isDelayed:
                stage = .waiting
                return .wait
            case .running, .waiting: return finish()
            case .stopped: return .nothing
            }
        }

        /// Ends the delay.
        mutating func finish() -> Step {
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

    /// Stops after the delay, or at once if a stop is pending; returns immediately.
    func request() {
        switch state.withLock({ $0.request(isDelayed: delay > .zero) }) {
        case .wait:
            let (seconds, attoseconds) = delay.components
            let time = DispatchTime.now() + .seconds(Int(seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
            DispatchQueue.global().asyncAfter(deadline: time) {
                if self.state.withLock({ $0.finish() }) == .stop { self.stop() }
            }
        case .stop: stop()
        case .nothing: break
        }
    }
}
