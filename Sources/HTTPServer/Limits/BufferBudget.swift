import HTTP1
private import Synchronization
import System

/// A limit on the memory that the connections of a process hold for requests and responses.
///
/// All servers of a process share one budget. A buffer of up to `HTTPLimits.reservedBytes` is free; the owner of a
/// larger one holds a `BufferCharge`. Incomplete requests may use three quarters of the budget; the rest is for
/// responses.
package final class BufferBudget: Sendable {
    /// The purpose of charged memory.
    package enum Use { case request, response }

    /// The maximum number of charged bytes.
    package let limit: Int
    private let charged = Atomic(0)

    /// Creates a budget of `limit` bytes.
    package init(limit: Int) { self.limit = limit }

    /// The number of bytes charged now.
    package var used: Int { charged.load(ordering: .relaxed) }

    /// Whether `bytes` can be charged now.
    func hasRoom(for bytes: Int, for use: Use) -> Bool {
        let bytes = BufferCharge.charged(bytes)
        return bytes == 0 || bytes <= limit(for: use) - used
    }

    /// Charges `bytes`. Returns nil if that exceeds the limit.
    package func charge(_ bytes: Int, for use: Use) -> BufferCharge? {
        BufferCharge(bytes, to: self, limit: limit(for: use))
    }

    /// Changes `charge` to `bytes`. Returns false and changes nothing if that exceeds the limit.
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

    /// Adds `bytes` to the charged bytes, or returns false if that would exceed `limit`. A negative number releases
    /// bytes.
    fileprivate func take(_ bytes: Int, limit: Int) -> Bool {
        let total = charged.add(bytes, ordering: .relaxed).newValue
        if bytes <= 0 || total <= limit { return true }
        charged.subtract(bytes, ordering: .relaxed)
        return false
    }
}

/// Bytes charged to a budget. Releasing the last reference returns them.
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

    /// Changes the charge to `bytes`. Returns false and changes nothing if that exceeds the limit. Only one thread at a
    /// time may call this.
    package func resize(to bytes: Int) -> Bool {
        let bytes = Self.charged(bytes)
        guard budget.take(bytes - self.bytes.load(ordering: .relaxed), limit: limit) else { return false }
        self.bytes.store(bytes, ordering: .relaxed)
        return true
    }

    /// The charge for a buffer of `bytes`.
    fileprivate static func charged(_ bytes: Int) -> Int { bytes > HTTPLimits.reservedBytes ? bytes : 0 }
}
