import Dispatch
import HTTPServer
import Logging
import Synchronization
import System

/// Keeps the service manager told how the service does, if there is one.
final class SystemdNotifier: Sendable {
    private let manager: SystemdSocket?
    private let logger: Logger
    private let queue = DispatchQueue(label: "presign.supervision")
    private let status: String
    private let isLost = Atomic(false)

    /// - Parameter addresses: where the service listens, for whoever looks at its status.
    init(by manager: SystemdSocket?, of addresses: [ListenAddress], _ logger: Logger) {
        self.manager = manager
        self.logger = logger
        status = "listening on \(addresses.map(\.description).joined(separator: ", "))"
    }

    /// The service answers from now on.
    func begin() { tell(.ready(status: status)) }

    /// The configuration is being read again; `finishReload` must follow.
    func beginReload() { tell(.reloading(since: SystemdSocket.monotonicMicroseconds())) }

    /// - Parameter succeeded: whether what was read is in force.
    func finishReload(succeeded: Bool) {
        tell(.ready(status: succeeded ? status : status + "; the last reload failed, see the log"))
    }

    /// Nothing new is accepted from now on.
    func beginStop() { tell(.stopping) }

    /// Gives the signs of life that the manager wants, three in each of its intervals, for as long as no loop is stuck.
    func watch(_ server: HTTPServer) -> (any DispatchSourceTimer)? {
        guard let interval = manager?.watchdogInterval else { return nil }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [self] in
            if server.areLoopsResponsive() { tell(.alive) }
        }
        timer.schedule(deadline: .now(), repeating: .microseconds(Int(clamping: max(1, interval / 3))))
        timer.resume()
        return timer
    }

    private func tell(_ message: SystemdSocket.Message) {
        guard let manager else { return }
        do {
            try manager.tell(message)
            isLost.store(false, ordering: .relaxed)
        } catch {
            // Once: signs of life are given for ever.
            guard !isLost.exchange(true, ordering: .relaxed) else { return }
            logger.warning("the service manager was not told: \(error)", metadata: ["event": "supervision"])
        }
    }
}
