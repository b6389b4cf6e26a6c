internal import Dispatch
package import HTTPServing
internal import Synchronization

/// From a host to its addresses, within a deadline.
package enum HostResolution {
    /// The addresses of a host, at least one.
    ///
    /// The system's resolver knows no deadline: one that hangs is left behind on its thread.
    package static func addresses(of host: FetchURL.Host, by deadline: Deadline) throws(FetchFailure) -> [PeerAddress] {
        switch host {
        case .address(let address): return [address]
        case .name(let name):
            guard deadline.millisecondsLeft > 0 else { throw .timedOut }
            let answer = Answer()
            // Of its own, as it blocks: the global one has few threads.
            DispatchQueue(label: "presign.resolver").async { answer.set(PeerAddress.addresses(of: name)) }
            guard let addresses = answer.value(by: deadline) else { throw .timedOut }
            guard !addresses.isEmpty else { throw .unknownHost }
            return addresses
        }
    }

    private final class Answer: Sendable {
        private let addresses = Mutex<[PeerAddress]?>(nil)
        private let isThere = DispatchSemaphore(value: 0)

        func set(_ found: [PeerAddress]) {
            addresses.withLock { $0 = found }
            isThere.signal()
        }

        func value(by deadline: Deadline) -> [PeerAddress]? {
            let time = DispatchTime.now() + .milliseconds(Int(deadline.millisecondsLeft))
            guard isThere.wait(timeout: time) == .success else { return nil }
            return addresses.withLock { $0 }
        }
    }
}
