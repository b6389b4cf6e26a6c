import Synchronization

/// A number that one thread at a time adds to, and that any may read. So an addition needs no locked instruction, which
/// costs more than all else that is done to count.
package struct Count: ~Copyable, Sendable {
    private let value = Atomic(0)

    /// A count of zero.
    package init() {}

    /// What was added so far.
    package var sum: Int { value.load(ordering: .relaxed) }

    /// Adds to it. It may begin anew after years, as counters do; that must not end the process.
    @inline(__always)
    package func add(_ change: Int = 1) {
        value.store(value.load(ordering: .relaxed) &+ change, ordering: .relaxed)
    }
}
