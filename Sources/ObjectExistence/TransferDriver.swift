import CCurl
import Glibc
import HTTPClient
import System

/// The work of the checking thread, the only thread that uses the easy handles and drives the multi handle.
struct TransferDriver {
    private let configuration: ExistenceConfiguration
    private let queue: CheckQueue
    private let multi: MultiHandle
    private let addresses: AddressCache
    private var idle: [Transfer] = []
    private var active: [ObjectIdentifier: Transfer] = [:]

    init(
        _ configuration: ExistenceConfiguration, queue: CheckQueue, multi: MultiHandle, resolver: HostResolver
    ) {
        self.configuration = configuration
        self.queue = queue
        self.multi = multi
        addresses = AddressCache(resolver) { multi.wake() }
    }

    /// Runs until the queue is closed.
    mutating func run() {
        while true {
            let now = ContinuousClock.now
            let (starting, expired) = queue.next(at: now) { [addresses] in addresses.addresses(of: $0, at: now) }
            for check in expired { check.completion(.timedOut) }
            for (check, addresses) in starting { start(check, at: addresses) }
            var running: Int32 = 0
            _ = unsafe curl_multi_perform(multi.pointer, &running)
            // A finished transfer lets a waiting check start, so read the queue again before waiting.
            if collect() { continue }
            if queue.isClosed { break }
            // A new check, a finished lookup, activity on a socket, or the earliest deadline ends the wait.
            let code = unsafe curl_multi_poll(multi.pointer, nil, 0, Int32(waitMilliseconds), nil)
            // A failed poll returns immediately. The pause keeps the loop from spinning.
            if code != CURLM_OK { usleep(10_000) }
        }
        giveUp()
        idle = []
        multi.free()
    }

    /// Aborts the transfers in flight after the queue was closed.
    private mutating func giveUp() {
        for transfer in active.values {
            guard let check = transfer.check.take() else { continue }
            // unsafe: `start` added the handle to the multi handle, and the transfer keeps it alive.
            _ = unsafe curl_multi_remove_handle(multi.pointer, transfer.easy)
            queue.ended(check)
            check.completion(.failed("the service is stopping"))
        }
        active = [:]
    }

    private var waitMilliseconds: Int {
        guard let deadline = queue.nextDeadline else { return 60_000 }
        return min(60_000, (deadline - .now).milliseconds)
    }

    private mutating func start(_ check: PendingCheck, at addresses: [PeerAddress]) {
        guard !addresses.isEmpty else { return refuse(check, .failed("the host name has no address")) }
        let remaining = check.deadline - .now
        guard remaining > .zero else { return refuse(check, .timedOut) }
        guard let transfer = idle.popLast() ?? Transfer() else {
            return refuse(check, .failed("libcurl is out of memory"))
        }
        // unsafe: the handle is idle. `active` keeps it alive until `collect` removes it from the multi handle.
        guard transfer.prepare(check, at: addresses, configuration, remaining: remaining),
            unsafe curl_multi_add_handle(multi.pointer, transfer.easy) == CURLM_OK
        else {
            idle.append(transfer)
            return refuse(check, .failed("libcurl refused the request"))
        }
        transfer.check = check
        active[ObjectIdentifier(transfer)] = transfer
    }

    private func refuse(_ check: PendingCheck, _ outcome: ExistenceOutcome) {
        queue.ended(check)
        check.completion(outcome)
    }

    /// Completes the finished transfers. Returns false if there were none.
    private mutating func collect() -> Bool {
        var left: Int32 = 0
        var hasEnded = false
        // unsafe: a message is valid until the next call for its handle, and is read before that.
        while let message = unsafe curl_multi_info_read(multi.pointer, &left) {
            guard unsafe presign_message_is_done(message) != 0, let easy = unsafe message.pointee.easy_handle else {
                continue
            }
            let result = unsafe presign_message_result(message)
            var reference: UnsafeMutablePointer<CChar>?
            guard unsafe presign_get_pointer(easy, &reference) == CURLE_OK, let reference = unsafe reference else {
                continue
            }
            // unsafe: `prepare` stored the pointer of this transfer, which `active` keeps alive.
            let transfer = unsafe Unmanaged<Transfer>.fromOpaque(reference).takeUnretainedValue()
            _ = unsafe curl_multi_remove_handle(multi.pointer, easy)
            active[ObjectIdentifier(transfer)] = nil
            let (check, outcome) = (transfer.check.take(), transfer.outcome(result))
            idle.append(transfer)
            hasEnded = true
            guard let check else { continue }
            queue.ended(check)
            check.completion(outcome)
        }
        return hasEnded
    }
}
