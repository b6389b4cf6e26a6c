import Dispatch
import HTTPServer
import Logging
import Synchronization
import System

/// Reports the state of the service to the service manager, if there is one.
final class SystemdNotifier: Sendable {
    private let manager: SystemdSocket?
    private let logger: Logger
    private let queue = DispatchQueue(label: "presign.supervision")
    private let status: String
    private let isLost = Atomic(false)
    /// A reload that ends while the service stops is not reported: the service is no longer ready.
    private let isStopping = Atomic(false)

    /// - Parameter addresses: the addresses of the service, for the status text.
    init(by manager: SystemdSocket?, of addresses: [ListenAddress], _ logger: Logger) {
        self.manager = manager
        self.logger = logger
        status = "listening on \(addresses.map(\.description).joined(separator: ", "))"
    }

    /// Reports that the service accepts requests.
    func notifyReady() { send(.ready(status: status)) }

    /// Reports that a reload has started; `finishReload` must follow.
    func beginReload() { send(.reloading(since: SystemdSocket.monotonicMicroseconds())) }

    /// Reports that a reload has ended.
    ///
    /// - Parameter succeeded: whether the new configuration is in use.
    func finishReload(succeeded: Bool) {
        guard !isStopping.load(ordering: .relaxed) else { return }
        send(.ready(status: succeeded ? status : status + "; the last reload failed, see the log"))
    }

    /// Reports that the service is stopping.
    func notifyStopping() {
        isStopping.store(true, ordering: .relaxed)
        send(.stopping)
    }

    /// Sends the watchdog notifications, three in each interval, while all event loops are responsive.
    func watch(_ server: HTTPServer) -> (any DispatchSourceTimer)? {
        guard let interval = manager?.watchdogInterval else { return nil }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [self] in
            if server.areLoopsResponsive() { send(.alive) }
        }
        timer.schedule(deadline: .now(), repeating: .microseconds(Int(clamping: max(1, interval / 3))))
        timer.resume()
        return timer
    }

    private func send(_ message: SystemdSocket.Message) {
        guard let manager else { return }
        do {
            try manager.tell(message)
            isLost.store(false, ordering: .relaxed)
        } catch {
            // The watchdog notification repeats; log only the first failure.
            guard !isLost.exchange(true, ordering: .relaxed) else { return }
            logger.warning("cannot notify the service manager: \(error)", metadata: ["event": "supervision"])
        }
    }
}
