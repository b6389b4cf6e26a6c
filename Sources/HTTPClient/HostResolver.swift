internal import Dispatch
internal import Synchronization
package import System

/// Resolves host names within a deadline.
///
/// The system's resolver may block its thread for any time. All callers that need a name wait for the same lookup, so
/// each name occupies one thread at most.
package final class HostResolver: Sendable {
    /// The system's resolver.
    package static let system = HostResolver { PeerAddress.addresses(of: $0) }

    private let resolve: @Sendable (String) -> [PeerAddress]
    private let lookups = Mutex<[String: Lookup]>([:])

    /// - Parameter resolve: returns the addresses of a name, empty if it has none; may block.
    package init(_ resolve: @escaping @Sendable (String) -> [PeerAddress]) {
        self.resolve = resolve
    }

    /// Returns the addresses of a host, at least one. Blocks until the deadline at most.
    ///
    /// - Throws: `FetchFailure.timedOut`, or `unknownHost` for a name without an address.
    package func addresses(of host: FetchURL.Host, by deadline: MonotonicTime) throws(FetchFailure) -> [PeerAddress] {
        switch host {
        case .address(let address): return [address]
        case .name(let name):
            guard deadline > .now() else { throw .timedOut }
            guard let addresses = lookup(of: name).result(by: deadline) else { throw .timedOut }
            guard !addresses.isEmpty else { throw .unknownHost }
            return addresses
        }
    }

    /// Looks a name up without blocking the caller.
    ///
    /// - Parameter completion: called once, on another thread, with the addresses, empty if the name has none. There is
    ///   no timeout.
    package func addresses(of name: String, completion: @escaping @Sendable ([PeerAddress]) -> Void) {
        lookup(of: name).whenFinished(completion)
    }

    /// The lookup in progress, or a new one.
    private func lookup(of name: String) -> Lookup {
        lookups.withLock { lookups in
            if let running = lookups[name] { return running }
            let lookup = Lookup()
            lookups[name] = lookup
            // A new queue per lookup: blocked lookups would use up the threads of a shared one.
            DispatchQueue(label: "presign.resolver").async {
                let addresses = self.resolve(name)
                _ = self.lookups.withLock { $0.removeValue(forKey: name) }
                lookup.finish(addresses)
            }
            return lookup
        }
    }
}

/// A lookup shared by any number of waiting callers.
private final class Lookup: Sendable {
    private let addresses = Mutex<[PeerAddress]?>(nil)
    private let completion = DispatchGroup()

    init() { completion.enter() }

    func finish(_ found: [PeerAddress]) {
        addresses.withLock { $0 = found }
        completion.leave()
    }

    func whenFinished(_ completion: @escaping @Sendable ([PeerAddress]) -> Void) {
        self.completion.notify(queue: .global()) { completion(self.addresses.withLock { $0 } ?? []) }
    }

    /// The addresses; nil if the deadline passes first.
    func result(by deadline: MonotonicTime) -> [PeerAddress]? {
        let time = DispatchTime.now() + .milliseconds(Int(deadline.milliseconds(from: .now())))
        guard completion.wait(timeout: time) == .success else { return nil }
        return addresses.withLock { $0 }
    }
}
