import HTTP1
private import Synchronization
import System

/// The memory that the connections of a process may hold for requests and responses, beyond what each always has.
///
/// All servers of a process share one. Whatever holds bytes holds a `BufferCharge` for them. Up to
/// `HTTPLimits.reservedBytes` are not charged. Requests that are being received may take three quarters, so that there is
/// memory left to respond to others.
package final class BufferBudget: Sendable {
    /// What memory is used for.
    package enum Use { case request, response }

    /// Bytes that may be charged at once.
    package let limit: Int
    private let charged = Atomic(0)

    /// Creates a budget of `limit` bytes.
    package init(limit: Int) { self.limit = limit }

    /// The bytes that are charged now.
    package var used: Int { charged.load(ordering: .relaxed) }

    /// Whether `bytes` could be charged now.
    func hasRoom(for bytes: Int, for use: Use) -> Bool {
        let bytes = BufferCharge.charged(bytes)
        return bytes == 0 || bytes <= limit(for: use) - used
    }

    /// Charges `bytes`; nil if they exceed the limit.
    package func charge(_ bytes: Int, for use: Use) -> BufferCharge? {
        BufferCharge(bytes, to: self, limit: limit(for: use))
    }

    /// Charges `bytes` in place of what `charge` has; false, and no change, if they exceed the limit.
    package func update(_ charge: inout BufferCharge?, to bytes: Int, for use: Use) -> Bool {
        if let charge { return charge.resize(to: bytes) }
        guard BufferCharge.charged(bytes) > 0 else { return true }
        charge = self.charge(bytes, for: use)
        return charge != nil
    }

    private func limit(for use: Use) -> Int {
        switch use {
        case .request: limit - limit / 4
        case .response: limit
        }
    }

    /// Adds to what is charged; false if that would exceed `limit`. A negative number returns bytes.
    fileprivate func take(_ bytes: Int, limit: Int) -> Bool {
        let total = charged.add(bytes, ordering: .relaxed).newValue
        if bytes <= 0 || total <= limit { return true }
        charged.subtract(bytes, ordering: .relaxed)
        return false
    }
}

/// Bytes charged to a budget. They are returned when the last reference to the charge is released.
package final class BufferCharge: Sendable {
    private let budget: BufferBudget
    private let limit: Int
    private let bytes: Atomic<Int>

    fileprivate init?(_ bytes: Int, to budget: BufferBudget, limit: Int) {
        let bytes = Self.charged(bytes)
        guard budget.take(bytes, limit: limit) else { return nil }
        self.budget = budget
        self.limit = limit
        self.bytes = Atomic(bytes)
    }

    deinit { _ = budget.take(-bytes.load(ordering: .relaxed), limit: limit) }

    /// Charges `bytes` instead; false, and no change, if they exceed the limit. Only one thread at a time may call this.
    package func resize(to bytes: Int) -> Bool {
        let bytes = Self.charged(bytes)
        guard budget.take(bytes - self.bytes.load(ordering: .relaxed), limit: limit) else { return false }
        self.bytes.store(bytes, ordering: .relaxed)
        return true
    }

    /// What is charged for so many bytes.
    fileprivate static func charged(_ bytes: Int) -> Int { bytes > HTTPLimits.reservedBytes ? bytes : 0 }
}
