import Presigning
import StorageCredentials

/// A store ready to sign for: its configuration and the credentials of now.
final class Store: Sendable {
    let configuration: StoreConfiguration
    /// What it signs with.
    let credentials: PerRole<HeldCredentials>
    private let minRemaining: Int

    /// - Parameter minRemaining: credentials with fewer seconds left are not used.
    init(configuration: StoreConfiguration, slots: PerRole<CurrentCredentials>, minRemaining: Int) {
        self.configuration = configuration
        credentials = slots.map { HeldCredentials($0, minRemaining: minRemaining) }
        self.minRemaining = minRemaining
    }

    /// The same store with what its slots hold now; itself when that is what it has.
    func withCredentialsOfNow() -> Store {
        credentials.read.areCurrent && credentials.write.areCurrent
            ? self
            : Store(configuration: configuration, slots: credentials.map(\.slot), minRemaining: minRemaining)
    }

    /// Whether it can sign in one of its roles.
    func isUsable(at time: SigningTime) -> Bool {
        credentials.read.areUsable(at: time) || credentials.write.areUsable(at: time)
    }

    /// Seconds until it may have other credentials; nil if no attempt is planned.
    var secondsToAttempt: Int? {
        [credentials.read, credentials.write].compactMap(\.secondsToAttempt).min()
    }

    /// The object's whole key: the store's prefix, then the path.
    func key(_ path: [UInt8]) -> StoragePath { StoragePath(bytes: configuration.prefix + path) }
}

/// Every store by its name, and the default one.
package struct StoreTable: Sendable {
    private let stores: [Store]
    private let defaultStore: Store?

    init(_ stores: [Store]) {
        self.stores = stores
        defaultStore = stores.first { $0.configuration.isDefault }
    }

    /// The named store, the default one for nil; nil when there is no such store.
    func store(_ name: String?) -> Store? {
        guard let name else { return defaultStore }
        return stores.first { $0.configuration.name.utf8.elementsEqual(name.utf8) }
    }

    /// Every store.
    var all: [Store] { stores }

    /// True when a store answers plain links.
    var offerLinks: Bool { stores.contains { $0.configuration.offersLinks } }

    /// Scheme and authority of every store's URLs, each once: what a page's script must be free to reach.
    var origins: [String] {
        stores.reduce(into: []) { origins, store in
            let endpoint = store.configuration.bucket.endpoint
            let origin = "\(endpoint.scheme)://\(endpoint.host)"
            if !origins.contains(origin) { origins.append(origin) }
        }
    }

    /// The same stores with the credentials of now.
    func withCredentialsOfNow() -> StoreTable { StoreTable(stores.map { $0.withCredentialsOfNow() }) }

    /// Whether they are the very same stores.
    func isSame(as other: StoreTable) -> Bool { zip(stores, other.stores).allSatisfy { $0 === $1 } }

    /// True while a store has credentials to sign with: one that has none must not take the others out of service.
    func haveUsableCredentials(at time: SigningTime) -> Bool {
        stores.contains { $0.isUsable(at: time) }
    }

    /// Until a store may have other credentials; nil when nobody tries.
    var secondsToAttempt: Int? { stores.compactMap(\.secondsToAttempt).min() }
}
