import Presigning
import Refreshing
import StorageCredentials

/// A store: its configuration and current credentials.
final class Store: Sendable {
    let configuration: StoreConfiguration
    /// The position in the configuration.
    let index: Int
    /// The store's index in the access policy.
    let policyIndex: Int?
    /// The credentials by role.
    let credentials: PerRole<HeldCredentials>
    private let minRemaining: Int

    /// - Parameter minRemaining: credentials with fewer seconds left are not used.
    init(
        configuration: StoreConfiguration, index: Int, policyIndex: Int?, slots: PerRole<CurrentCredentials>,
        minRemaining: Int
    ) {
        self.configuration = configuration
        self.index = index
        self.policyIndex = policyIndex
        credentials = slots.map { HeldCredentials($0, minRemaining: minRemaining) }
        self.minRemaining = minRemaining
    }

    /// Returns a store with the slots' current credentials; itself if they have not changed.
    func withCurrentCredentials() -> Store {
        credentials.read.areCurrent && credentials.write.areCurrent
            ? self
            : Store(
                configuration: configuration, index: index, policyIndex: policyIndex, slots: credentials.map(\.slot),
                minRemaining: minRemaining)
    }

    /// Whether it can sign in at least one role.
    func isUsable(at time: SigningTime) -> Bool {
        credentials.read.areUsable(at: time) || credentials.write.areUsable(at: time)
    }
}

/// All stores by name, and the default store.
package struct StoreTable: Sendable {
    let all: [Store]
    private let defaultStore: Store?

    init(_ stores: [Store]) {
        all = stores
        defaultStore = stores.first { $0.configuration.isDefault }
    }

    /// Returns the named store, or the default store for nil; nil if not configured.
    func store(_ name: String?) -> Store? {
        guard let name else { return defaultStore }
        return all.first { $0.configuration.name.utf8.elementsEqual(name.utf8) }
    }

    /// Whether at least one store offers links.
    var offerLinks: Bool { all.contains { $0.configuration.offersLinks } }

    /// The distinct origins of all stores' URLs, which the upload page must be allowed to connect to.
    var origins: [String] {
        all.reduce(into: []) { origins, store in
            let endpoint = store.configuration.bucket.endpoint
            let origin = "\(endpoint.scheme)://\(endpoint.host)"
            if !origins.contains(origin) { origins.append(origin) }
        }
    }

    /// Returns the stores with their slots' current credentials.
    func withCurrentCredentials() -> StoreTable { StoreTable(all.map { $0.withCurrentCredentials() }) }

    /// Whether both tables hold the same store instances.
    func isSame(as other: StoreTable) -> Bool { zip(all, other.all).allSatisfy { $0 === $1 } }

    /// Whether any store has usable credentials. A store without them must not take the others out of service.
    func haveUsableCredentials(at time: SigningTime) -> Bool {
        all.contains { $0.isUsable(at: time) }
    }

    /// Seconds until the next attempt to get credentials for any store; nil if none is planned.
    var secondsToAttempt: Int? {
        all.flatMap { [$0.credentials.read, $0.credentials.write] }.compactMap(\.slot.secondsToValue).min()
    }
}

/// The credentials that a snapshot uses for one role of a store.
final class HeldCredentials: Sendable {
    /// The slot that holds these credentials and their successors.
    let slot: CurrentCredentials
    /// The slot's credentials when the snapshot was created; requests do not read the slot.
    let credentials: Credentials?
    /// The time from which the credentials are no longer used.
    private let end: SigningTime

    /// - Parameter minRemaining: credentials with fewer seconds left are not used.
    init(_ slot: CurrentCredentials, minRemaining: Int) {
        self.slot = slot
        let held = slot.value
        credentials = held
        end =
            held == nil
            ? SigningTime(secondsSince1970: 0)
            : held?.expiration?.advanced(bySeconds: -minRemaining)
                ?? SigningTime(secondsSince1970: SigningTime.representable.upperBound)
    }

    /// Whether the slot still holds the same credentials.
    var areCurrent: Bool { slot.value === credentials }

    /// Whether the credentials may be used for signing.
    func areUsable(at time: SigningTime) -> Bool { time < end }

    /// 503: no usable credentials.
    var unavailable: Problem {
        .credentialsUnavailable(
            "The service has no usable storage credentials at the moment", retryAfter: slot.secondsToValue)
    }
}
