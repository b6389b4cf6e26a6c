import HTTPClient
import Synchronization
import System

/// The addresses of the hosts that checks connect to. Each name is looked up at most once a minute.
///
/// libcurl would start a thread for each transfer that needs a name, and leave it behind when the transfer times out
/// before the system's resolver responds.
final class AddressCache: Sendable {
    private enum Entry {
        case lookingUp
        case found([PeerAddress], expires: ContinuousClock.Instant)
    }

    private static let lifetime = Duration.seconds(60)
    /// The lifetime of a lookup without an address. Short, because the resolver itself may have failed.
    private static let failureLifetime = Duration.seconds(1)

    private let entries = Mutex<[String: Entry]>([:])
    private let resolver: HostResolver
    private let onFinish: @Sendable () -> Void

    /// - Parameter onFinish: called on another thread when a lookup has finished.
    init(_ resolver: HostResolver, onFinish: @escaping @Sendable () -> Void) {
        self.resolver = resolver
        self.onFinish = onFinish
    }

    /// Returns the addresses of a host, empty if it has none; nil while the lookup is in progress.
    func addresses(of host: FetchURL.Host, at now: ContinuousClock.Instant) -> [PeerAddress]? {
        switch host {
        case .address(let address): [address]
        case .name(let name): addresses(of: name, at: now)
        }
    }

    private func addresses(of name: String, at now: ContinuousClock.Instant) -> [PeerAddress]? {
        entries.withLock { entries in
            switch entries[name] {
            case .lookingUp: return nil
            case .found(let addresses, let expires) where now < expires: return addresses
            case .found, nil:
                entries[name] = .lookingUp
                resolver.addresses(of: name) { self.finish(name, $0) }
                return nil
            }
        }
    }

    private func finish(_ name: String, _ addresses: [PeerAddress]) {
        let lifetime = addresses.isEmpty ? Self.failureLifetime : Self.lifetime
        entries.withLock { $0[name] = .found(addresses, expires: .now + lifetime) }
        onFinish()
    }
}
