import Dispatch
import HTTPClient
import Synchronization

/// The thread that performs the checks of a queue. The first check starts it.
final class CheckingThread: Sendable {
    private enum State {
        case unstarted
        /// The handle is nil until libcurl is initialised; the queue is read after that.
        case running(MultiHandle?)
        /// To be started no more.
        case ended
    }

    private let state = Mutex(State.unstarted)
    private let configuration: ObjectExistenceConfiguration
    private let queue: CheckQueue
    private let resolver: HostResolver
    private let running = DispatchGroup()

    init(_ configuration: ObjectExistenceConfiguration, queue: CheckQueue, resolver: HostResolver) {
        self.configuration = configuration
        self.queue = queue
        self.resolver = resolver
    }

    /// Makes it look at the queue, which holds a new check: starts it, or ends its wait.
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

    /// Makes it end, once the queue is closed; does not wait for that.
    func end() {
        state.withLock { state in
            if case .running(let multi) = state { multi?.wake() }
            state = .ended
        }
    }

    /// Returns when it has ended, or has never begun.
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

    /// Without libcurl every check fails. A check that comes after this takes the next thread to tell it so: the state
    /// changes first, so that none is left in the queue.
    private func fail(_ failure: ObjectExistenceFailure) {
        state.withLock { state in
            if case .running = state { state = .unstarted }
        }
        for check in queue.takeWaiting() { check.completion(.failed(failure.description)) }
    }
}
