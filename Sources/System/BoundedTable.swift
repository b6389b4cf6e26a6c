import Synchronization

/// A value that a `BoundedTable` can hold.
package protocol Expiring: Sendable {
    /// The time from which the value is useless, on a clock of the caller's choice.
    var expiry: Int64 { get }
    /// The bytes of memory that count toward the table's byte limit.
    var byteCount: Int { get }
}

/// A dictionary with a limit on its entries and its bytes, safe to share between threads.
///
/// A hash with a random seed distributes the keys over parts of at most 64 entries. A full part evicts the entry that
/// expires first. A client that inserts many keys therefore evicts entries that expire before its own. To evict a later
/// one, it needs 64 keys in the same part, which takes about as many keys as the whole table holds.
package final class BoundedTable<Key: Hashable & Sendable, Value: Expiring>: Sendable {
    private let parts: Mutex<[TablePart<Key, Value>]>
    private let partCount: Int

    /// Creates an empty table. Memory is allocated as entries are inserted.
    ///
    /// - Parameters:
    ///   - capacity: the maximum number of entries; rounded down to a multiple of 64, at least 64.
    ///   - byteLimit: the maximum number of bytes, divided evenly between the parts. A value larger than a part's share
    ///     is not stored.
    package init(capacity: Int, byteLimit: Int = .max) {
        partCount = max(1, capacity / 64)
        parts = Mutex(
            Array(repeating: TablePart(capacity: 64, byteLimit: byteLimit / partCount), count: partCount))
    }

    /// Returns the value of a key, even if it has expired; nil if the table does not contain it.
    package func value(for key: Key) -> Value? {
        let index = partIndex(of: key)
        return parts.withLock { $0[index].values[key] }
    }

    /// Inserts a value or replaces the value of a key.
    package func insert(_ value: Value, for key: Key) {
        let index = partIndex(of: key)
        parts.withLock { $0[index].insert(value, for: key) }
    }

    /// Changes the value of a key atomically.
    ///
    /// - Parameter initial: the value before the change if the key has none.
    package func update<Result: Sendable>(
        _ key: Key, initial: Value, _ change: (inout Value) -> Result
    ) -> Result {
        let index = partIndex(of: key)
        return parts.withLock { parts in
            var value = parts[index].values[key] ?? initial
            let result = change(&value)
            parts[index].insert(value, for: key)
            return result
        }
    }

    /// The number of entries in the table and the sum of their bytes.
    package var usage: (entries: Int, bytes: Int) {
        parts.withLock { parts in
            (parts.reduce(0) { $0 + $1.values.count }, parts.reduce(0) { $0 + $1.byteCount })
        }
    }

    private func partIndex(of key: Key) -> Int {
        var hasher = Hasher()
        hasher.combine(key)
        return Int(UInt(bitPattern: hasher.finalize()) % UInt(partCount))
    }
}

/// A part of the table, small enough for a linear search for the entry to evict.
private struct TablePart<Key: Hashable & Sendable, Value: Expiring>: Sendable {
    let capacity: Int
    let byteLimit: Int
    var values: [Key: Value] = [:]
    var byteCount = 0

    mutating func insert(_ value: Value, for key: Key) {
        remove(key)
        guard value.byteCount <= byteLimit else { return }
        while values.count >= capacity || byteCount > byteLimit - value.byteCount,
            let first = values.min(by: { $0.value.expiry < $1.value.expiry })
        {
            remove(first.key)
        }
        values[key] = value
        byteCount += value.byteCount
    }

    private mutating func remove(_ key: Key) {
        byteCount -= values.removeValue(forKey: key)?.byteCount ?? 0
    }
}
