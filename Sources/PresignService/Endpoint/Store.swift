import Presigning

/// A store ready to sign for: its configuration and its credentials. A class, so that to hand it on counts one reference
/// and not every part's.
final class Store: Sendable {
    let configuration: StoreConfiguration
    let credentials: Credentials
    /// Its name, for the log.
    let nameBytes: [UInt8]

    init(configuration: StoreConfiguration, credentials: Credentials) {
        self.configuration = configuration
        self.credentials = credentials
        nameBytes = Array(configuration.name.utf8)
    }

    /// The object's whole key: the store's prefix, then the path.
    func key(_ path: [UInt8]) -> StoragePath {
        // Without a prefix the path itself is the key, and nothing is copied.
        StoragePath(bytes: configuration.prefix.isEmpty ? path : configuration.prefix + path)
    }
}

/// Every store by its name, and the default one.
struct StoreTable: Sendable {
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

    /// True while a store's credentials live: one that ended must not take the others out of service.
    func haveLivingCredentials(at time: SigningTime) -> Bool {
        stores.contains { $0.credentials.expiration.map { time < $0 } ?? true }
    }
}
