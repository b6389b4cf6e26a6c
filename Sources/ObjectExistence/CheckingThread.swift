import Dispatch
import HTTPClient
import Synchronization

/// The thread that performs the checks of a queue. The first check starts it.
final class CheckingThread: Sendable {
    private enum State {
        case unstarted
        /// The handle is nil until libcurl is initialized. The thread reads the queue after that.
        case running(MultiHandle?)
        /// The thread must not be started again.
        case ended
    }

    private let state = Mutex(State.unstarted)
    private let configuration: ExistenceConfiguration
    private let queue: CheckQueue
    private let resolver: HostResolver
    private let running = DispatchGroup()

    init(_ configuration: ExistenceConfiguration, queue: CheckQueue, resolver: HostResolver) {
        self.configuration = configuration
        self.queue = queue
        self.resolver = resolver
    }

    /// Call this after adding a check to the queue: starts the thread, or ends its wait.
    func wake() {
        state.withLock { state in
            switch state {
            case .unstarted:
                state = .running(nil)
                DispatchQueue(label: "presign.existence").async(group: running) { self.run() }
            case .running(let multi): multi?.wake()
            case .ended: break
            }
        }
    }

    /// Asks the thread to end. Close the queue first. Does not wait.
    func end() {
        state.withLock { state in
            if case .running(let multi) = state { multi?.wake() }
            state = .ended
        }
    }

    /// Waits until the thread has ended. Returns at once if it was not started.
    func wait() { running.wait() }

    private func run() {
        let multi: MultiHandle
        do {
            multi = try MultiHandle(configuration)
        } catch {
            return fail(error)
        }
        state.withLock { state in
            if case .running = state { state = .running(multi) }
        }
        var driver = TransferDriver(configuration, queue: queue, multi: multi, resolver: resolver)
        driver.run()
    }

    /// Fails all waiting checks because libcurl could not be initialized. The next check starts a new thread, so the
    /// state must change before the queue is emptied.
    private func fail(_ failure: ObjectExistenceFailure) {
        state.withLock { state in
            if case .running = state { state = .unstarted }
        }
        for check in queue.takeWaiting() { check.completion(.failed(failure.description)) }
    }
}
