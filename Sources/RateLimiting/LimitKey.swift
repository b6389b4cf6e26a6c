/// What a token bucket is kept for, such as a caller or an address: 64 bits of a hash with a random seed.
///
/// The seed keeps clients from choosing names or addresses that share a bucket; by chance, one pair in 2^64 does.
package struct LimitKey: Sendable, Hashable {
    private let hash: Int

    /// - Parameter hasher: has combined all that tells one bucket from another.
    package init(_ hasher: consuming Hasher) { hash = hasher.finalize() }
}
