/// The key of a token bucket: a 64-bit hash of, for example, a caller or an address.
///
/// The hash has a random seed, so clients cannot choose names or addresses that collide.
package struct LimitKey: Sendable, Hashable {
    private let hash: Int

    /// - Parameter hasher: a hasher that has combined everything that identifies the bucket.
    package init(_ hasher: consuming Hasher) { hash = hasher.finalize() }
}
